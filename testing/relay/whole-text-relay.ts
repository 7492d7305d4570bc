/** A relay at a scripted upstream that sells the text model with everything. */
import { sendJson } from "../upstream/test-upstream";
import { scriptedRelay } from "./scripted-relay";
import { sellModel } from "./sold-model";
import { wholeText } from "./whole-text";

export async function wholeTextRelay() {
  const setup = await scriptedRelay(() => ({ channels: [], points: "100000" }));
  const { relay, upstream } = setup;
  await sellModel(relay, wholeText);
  const { id: model } = wholeText;
  const models = { [model]: "theirs", RelayV1: "theirs" };
  return {
    setup,
    /** The upstream speaks this protocol, and answers this. */
    at(protocol: "openai" | "anthropic", text?: string): void {
      relay.setting.channels = [upstream.channel({ protocol, models })];
      if (text !== undefined) setup.script = (to) => sendJson(to, text);
    },
    post: (path: string, body: object) =>
      relay.send(path, { body: JSON.stringify({ model, max_tokens: 100, ...body }) }),
    lastEnd: async () => (await relay.ends()).at(-1),
    seen: () => upstream.seen.at(-1)?.body ?? {},
  };
}

/** The real client libraries send each documented field of text; the upstream gets it as it was sent, and its answer is read. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { chat, messages, responses } from "@/testing/fields/documented-texts";
import type { FieldTable } from "@/testing/fields/field-table";
import { wholeText } from "@/testing/relay/whole-text";
import { wholeTextRelay } from "@/testing/relay/whole-text-relay";
import { hosted, response, responseStream } from "@/testing/upstream/hosted-wires";
import { completion, streamType, usageOf } from "@/testing/upstream/test-upstream";
import { message, messageUsage } from "@/testing/upstream/text-wires";

const { id: model } = wholeText;
const { setup, at } = await wholeTextRelay();

const lib = {
  maxRetries: 0,
  apiKey: null,
  fetch: (url: unknown, init?: RequestInit) =>
    setup.relay.fetch(new URL(String(url)).pathname, {
      body: String(init?.body ?? ""),
      headers: Object.fromEntries(
        [...new Headers(init?.headers)].filter(([name]) => name.startsWith("anthropic-")),
      ),
    }),
};
const openai = new OpenAI({ ...lib, apiKey: "good", baseURL: "http://relay.test/v1" });
const anthropic = new Anthropic({ ...lib, authToken: "good", baseURL: "http://relay.test" });

/** The fields that reach an upstream under their own name, but for those that come in another form. */
const sentAs = ({ fields }: FieldTable, ...others: string[]) =>
  fields
    .filter(
      ({ field, upstream, clients }) =>
        upstream === undefined && !others.includes(field) && clients.length > 0,
    )
    .map(({ field, order }) => [field, order] as const);
function seen() {
  const last = setup.upstream.seen.at(-1);
  if (last === undefined) throw new Error("the upstream was asked");
  return last;
}
/** The name of a field, without which of its values is meant. */
const nameOf = (field: string) => field.split(",")[0] ?? "";
const member = (order: object, field: string) =>
  Object.entries(order).find(([name]) => name === nameOf(field))?.[1];

const said: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "a boat" }];

test.each(sentAs(chat, "stream", "stream_options"))("chat: %s", async (field, order) => {
  at("openai", completion("hi", { usage: usageOf(5, 2) }));
  const answer = await openai.chat.completions.create({ model, messages: said, ...order });
  expect(answer.choices[0]?.message.content).toBe("hi");
  expect(seen().body[nameOf(field)]).toEqual(member(order, field));
});

const ofResponses = ["prompt", "conversation", "context_management", "truncation"];
/** Of them one value is taken, and it is the default. */
const refused = ["background_options"];
test.each(sentAs(responses, "tools", "tool_choice", ...refused))(
  "responses: %s",
  async (field, order) => {
    const isNative = [...ofResponses, "access_programs", "image"].includes(field);
    const plain = completion("found", { usage: usageOf(5, 2) });
    at("openai", isNative ? JSON.stringify(response) : plain);
    const answer = await openai.responses.create({ model, input: "a boat", ...order });
    expect(answer.output_text).toBe("found");
    expect(seen().body[nameOf(field)]).toEqual(member(order, field));
    expect(seen().path.endsWith("/responses")).toBe(isNative);
  },
);

const headers = ["user_profile_id", "workspace_id"];
test.each(sentAs(messages, "stream", "output_format", "thread", "betas", "thinking", "messages"))(
  "messages: %s",
  async (field, order) => {
    at("anthropic", message(hosted, { usage: messageUsage(5, 2) }));
    const body = {
      model,
      max_tokens: 2000,
      messages: [{ role: "user" as const, content: "a boat" }],
    };
    const answer = await anthropic.beta.messages.create({ ...body, ...order });
    expect(answer.content).toMatchObject(hosted);
    const { body: sent, headers: told } = seen();
    const value = member(order, field);
    if (field === "system") expect(sent.system).toEqual([{ type: "text", text: value }]);
    else if (headers.includes(field))
      expect(told[`anthropic-${field.replaceAll("_", "-")}`]).toBe(value);
    else expect(sent[nameOf(field)]).toEqual(value);
  },
);

test("the library puts a stream of the upstream's own tools together", async () => {
  at("openai", "");
  setup.script = (to) => void to.writeHead(200, streamType).end(responseStream);
  const stream = openai.responses.stream({
    model,
    input: "a boat",
    tools: [{ type: "web_search" }],
  });
  expect((await stream.finalResponse()).output_text).toBe("found");
});

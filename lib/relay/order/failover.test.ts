import { expect, test } from "vitest";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { startUpstream } from "@/testing/upstream/test-upstream";

/**
 * The list of channels can be read only once per request: the second read is a fault of our own.
 */
let reads = 0;

const template = await startUpstream(() => {});
const channel = template.channel({ protocol: "ark" });
// It refuses every connection, so that an attempt certainly costs nothing.
await template.close();
const relay = await opened(openTestRelay({ channels: [channel] }));
Object.defineProperty(relay.setting, "channels", {
  get() {
    if (++reads > 1) throw new TypeError("the channels cannot be read");
    return [channel];
  },
});

const chat = { model: "RelayV1", messages: hello };
const content = [{ type: "text", text: "a cat" }];

test.each<[string, string, object]>([
  ["a chat", "/v1/chat/completions", chat],
  ["a streamed chat", "/v1/chat/completions", { ...chat, stream: true }],
  ["an image", "/v1/images/generations", { model: "super-relay-img", prompt: "a cat" }],
  ["a video", "/v1/videos/generations", { model: "super-relay-2", prompt: "a cat" }],
  ["a video task", "/v1/contents/generations/tasks", { model: "super-relay-2", content }],
])(
  "an internal error while another channel is picked for %s is reported as ours, and nothing stays held",
  async (_, path, body) => {
    reads = 0;
    const before = await relay.balance();
    const { status, json } = await relay.send(path, { body: JSON.stringify(body) });
    expect([status, json.error?.code]).toEqual([500, "internal_error"]);
    expect(reads).toBe(2);
    expect(await relay.balance()).toEqual(before);
    expect((await relay.ends()).at(-1)).toMatchObject({ outcome: "released", losses: [] });
  },
);

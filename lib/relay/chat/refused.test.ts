/** Tests what becomes of a request that an upstream refuses for what is in it. */
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { chunk, saying, sendJson, streamType, usageOf } from "@/testing/upstream/test-upstream";

const answers = saying("hi", usageOf(10, 5));
const charged = { outcome: "settled", amount: 10 * 80 + 5 * 800, losses: [] };
const tooLong = {
  message:
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens.",
  type: "invalid_request_error",
  param: "messages",
  code: "context_length_exceeded",
};
const setup = await scriptedRelay();
beforeEach(() => {
  setup.upstream.seen.length = 0;
});

/** Two channels, of which the first refuses with this body. */
function refusedFirst(error: object, status = 400) {
  setup.script = (response, request, count) =>
    request.body.model === "first"
      ? sendJson(response, JSON.stringify({ error }), status)
      : answers(response, request, count);
  setup.relay.setting.channels = [
    setup.upstream.channel({ priority: 2, models: { RelayV1: "first" } }),
    setup.upstream.channel(),
  ];
}
const asked = () => setup.upstream.seen.map(({ body }) => body.model);

test.each([
  ["a longer window", tooLong, 400],
  [
    "a larger cap",
    { message: "max_tokens: 9 > 5, which is the maximum allowed number", code: "x" },
    400,
  ],
  ["larger bodies", {}, 413],
  ["tools", { message: "x:8b does not support tools" }, 400],
  ["larger images", { message: "messages.0.content.0.image: image exceeds 5 MB maximum" }, 400],
])(
  "another channel, which may have %s, is asked, and the first one does not rest",
  async (_, error, status) => {
    refusedFirst(error, status);
    for (const stream of [false, true]) {
      setup.upstream.seen.length = 0;
      const answer = await setup.relay.chat({ stream });
      expect([answer.status, asked()]).toEqual([200, ["first", "upstream-name"]]);
      expect((await setup.relay.ends()).at(-1)).toMatchObject(charged);
    }
  },
);

test.each([
  ["content", { message: "Content Exists Risk" }, "content_rejected"],
  [
    "calls without results",
    { message: "An assistant message with 'tool_calls' must be followed by tool messages" },
    "invalid_history",
  ],
  [
    "a wrong value",
    { message: "temperature must be a number", param: "temperature" },
    "invalid_value",
  ],
])("%s is shown to no other channel", async (_, error, code) => {
  refusedFirst(error);
  const { json } = await setup.relay.chat();
  expect([json.error?.code, asked()]).toEqual([code, ["first"]]);
  expect((await setup.relay.ends()).at(-1)).toMatchObject({ outcome: "released", losses: [] });
});

const events = (text: string) =>
  text
    .trim()
    .split("\n\n")
    .map((one) => JSON.parse(one.slice(one.indexOf("data: ") + 6)));
const responses = (fields: object) =>
  setup.relay.send("/v1/responses", {
    body: JSON.stringify({ model: "RelayV1", input: "hello", ...fields }),
  });

test("a stream of Responses says in its events that the conversation is too long; a whole answer in its status", async () => {
  setup.script = (response) => sendJson(response, JSON.stringify({ error: tooLong }), 400);
  setup.relay.setting.channels = [setup.upstream.channel()];
  const { status, headers, text } = await responses({ stream: true });
  expect([status, headers.get("content-type")]).toMatchObject([200, /event-stream/]);
  const all = events(text);
  expect(all[0]).toMatchObject({ type: "response.created" });
  expect(all.at(-1)).toMatchObject({
    type: "response.failed",
    response: {
      status: "failed",
      error: { code: "context_length_exceeded", relay_code: "context_length_exceeded" },
    },
  });
  const plain = await responses({});
  expect([plain.status, plain.json.error]).toMatchObject([
    400,
    { code: "context_length_exceeded", param: "input", type: "invalid_request_error" },
  ]);
  expect((await setup.relay.ends()).slice(-2)).toMatchObject([
    { outcome: "released", losses: [] },
    { outcome: "released", losses: [] },
  ]);
});

test.each(["/v1/messages", "/v1/responses", "/v1/chat/completions"])(
  "an error within a stream is that of its dialect, with its code: %s",
  async (path) => {
    setup.relay.setting.channels = [setup.upstream.channel()];
    setup.script = (response) =>
      void response
        .writeHead(200, streamType)
        .end(
          `${chunk({ role: "assistant", content: "h" })}data: ${JSON.stringify({ error: tooLong })}\n\n`,
        );
    const said = path.endsWith("responses")
      ? { input: "hello" }
      : { messages: [{ role: "user", content: "hello" }] };
    const { text } = await setup.relay.send(path, {
      body: JSON.stringify({ model: "RelayV1", max_tokens: 50, stream: true, ...said }),
    });
    const last = events(text).at(-1);
    const error = last.error ?? last.response.error;
    expect(error.relay_code ?? error.code).toBe("context_length_exceeded");
    expect(error.message).toMatch(/^(prompt is too long: )?The input exceeds the context window/);
  },
);

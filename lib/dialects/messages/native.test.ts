import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "@/testing/relay/whole-text";
import { messagesRequest } from "../../contract/messages";
import { messagesDialect } from "./messages-dialect";
import { toNative } from "./native-request";

const base = {
  model: "RelayV1",
  max_tokens: 10,
  messages: [{ role: "user", content: "hi" }],
};
const context = {
  request: messagesRequest.parse(base),
  model: "RelayV1",
  operationHex: "0".repeat(32),
  requestId: "req_1",
  createdSeconds: 1,
};
const sentOf = (fields: object) =>
  JSON.parse(toNative(messagesRequest.parse({ ...base, ...fields }), plainText).text("up", 5));

test("no event of an upstream makes the stream throw, and it begins and ends as it must", () => {
  const event = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom("message_start", "content_block_start", "message_delta", "x"),
      delta: fc.jsonValue(),
      index: fc.jsonValue(),
    }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (sent) => {
      const stream = messagesDialect.native?.openStream(context);
      const events = sent.flatMap((one) => stream?.chunk({ choices: [one] }) ?? []);
      events.push(...(stream?.end({ usage: null, finishReason: null }) ?? []));
      expect(events[0]?.type).toBe("message_start");
      expect(events.filter(({ type }) => type === "message_start")).toHaveLength(1);
      expect(events.slice(-2).map(({ type }) => type)).toEqual(["message_delta", "message_stop"]);
    }),
  );
});

test("what an upstream would run or refuse is removed from the blocks, at any depth", () => {
  const text = { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" }, x: 1 };
  const kept = { type: "text", text: "a", cache_control: { type: "ephemeral" } };
  const sent = sentOf({
    system: [text],
    messages: [
      { role: "system", content: "be" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: [text] },
          { type: "document", source: { type: "text", data: "d" } },
          { type: "document", source: { type: "content", content: [text] } },
          { type: "container_upload", file_id: "f" },
        ],
      },
      { role: "assistant", content: [{ type: "server_tool_use", id: "s", name: "n", input: {} }] },
    ],
    tools: [{ type: "web_search_20250305", name: "web_search" }],
    tool_choice: { type: "any" },
    container: "c",
    mcp_servers: [{}],
  });
  expect(sent).toEqual({
    model: "up",
    max_tokens: 5,
    system: [kept, { type: "text", text: "be" }],
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: [kept] },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "d" } },
          { type: "document", source: { type: "content", content: [kept] } },
        ],
      },
    ],
  });
});

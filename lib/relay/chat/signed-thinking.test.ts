/**
 * Tests conversations whose thinking another account has signed or encrypted: refused, they are asked
 * again once without it, and the next conversation is sent whole.
 */
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { completion, type Script, sendJson, usageOf } from "@/testing/upstream/test-upstream";
import { message, messageUsage } from "@/testing/upstream/text-wires";
import { plainerNative } from "../../upstream/plainer-native";

const setup = await scriptedRelay();
const use = (options: object = {}) => {
  setup.relay.setting.channels = [setup.upstream.channel(options)];
};
beforeEach(() => {
  use();
  setup.upstream.seen.length = 0;
});
const bodies = () => setup.upstream.seen.map(({ body }) => body as Record<string, unknown>);
const lastEnd = async () => (await setup.relay.ends()).at(-1);

/** Refuses what has `text`, and answers anything else. */
const refusing =
  (text: string, error: object, answer: () => string): Script =>
  (response, request) =>
    JSON.stringify(request.body).includes(text)
      ? sendJson(response, JSON.stringify(error), 400)
      : sendJson(response, answer());

const anthropicError = (words: string) => ({
  type: "error",
  error: { type: "invalid_request_error", message: words },
});
const thinking = { type: "thinking", thinking: "hm", signature: "of-another" };
const hidden = { type: "redacted_thinking", data: "of-another" };
const call = { type: "tool_use", id: "toolu_1", name: "look", input: {} };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "seen" };
const said = { type: "text", text: "yes" };
const messages = <Given extends object>(path: Given) => ({
  model: "relay-v1",
  max_tokens: 2000,
  tools: [{ name: "look", input_schema: { type: "object" } }],
  ...path,
});
const asked = { role: "user", content: [{ type: "text", text: "look" }] };

test.each([
  [
    "an answer",
    [asked, { role: "assistant", content: [thinking, hidden, said] }, asked],
    [asked, { role: "assistant", content: [said] }, asked],
    "messages.content.thinking",
    { type: "enabled", budget_tokens: 1024 },
  ],
  [
    "calls that wait for their results",
    [asked, { role: "assistant", content: [thinking, call] }, { role: "user", content: [result] }],
    [asked, { role: "assistant", content: [call] }, { role: "user", content: [result] }],
    "messages.content.thinking, thinking",
    { type: "disabled" },
  ],
  [
    "nothing else",
    [asked, { role: "assistant", content: [hidden] }, asked],
    [asked, asked],
    "messages.content.thinking",
    { type: "enabled", budget_tokens: 1024 },
  ],
])("in the Messages API, before %s", async (_, sent, plain, told, then) => {
  use({ protocol: "anthropic" });
  const refused = anthropicError("messages.1.content.0: Invalid `signature` in `thinking` block");
  setup.script = refusing("of-another", refused, () =>
    message([said], { usage: messageUsage(10, 5) }),
  );
  const body = messages({ messages: sent, thinking: { type: "enabled", budget_tokens: 1024 } });
  const answer = await setup.relay.send("/v1/messages", { body: JSON.stringify(body) });
  expect([answer.status, answer.headers.get("x-relay-ignored-fields")]).toEqual([200, told]);
  const [first, second] = bodies();
  expect(first).toMatchObject({ messages: sent, thinking: body.thinking });
  expect(second).toMatchObject({ messages: plain, thinking: then });
  expect(bodies()).toHaveLength(2);
  expect(await lastEnd()).toMatchObject({ outcome: "settled", losses: [] });
});

const signedCall = {
  ...{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } },
  extra_content: { google: { thought_signature: "of-another" } },
};
const chat = {
  messages: [
    { role: "user", content: "look" },
    { role: "assistant", content: null, tool_calls: [signedCall], reasoning_content: "hm" },
    { role: "tool", tool_call_id: "c1", content: "seen" },
  ],
  tools: [{ type: "function", function: { name: "look" } }],
};

test.each([
  "Corrupted thought signature.",
  "Invalid thought signature.",
  "Unable to submit request because Thought signature is not valid.. Learn more: https://a.example",
])("in chat, where Gemini says: %s", async (words) => {
  const refused = { error: { code: 400, message: words, status: "INVALID_ARGUMENT" } };
  setup.script = refusing("of-another", refused, () => completion("yes", usageOf(10, 5)));
  for (const tries of [2, 4]) {
    const answer = await setup.relay.chat(chat);
    expect([answer.status, answer.headers.get("x-relay-ignored-fields")]).toEqual([
      200,
      "messages.tool_calls.extra_content",
    ]);
    // What one conversation has says nothing of the next.
    expect(bodies()).toHaveLength(tries);
    const sent = bodies().at(-1)?.messages as { reasoning_content?: string }[];
    expect(JSON.stringify(sent)).toContain("skip_thought_signature_validator");
    expect(sent[1]?.reasoning_content).toBe("hm");
  }
  expect(setup.relay.setting.channels[0]?.profile).toBeUndefined();
});

test("where it is refused without it too, the client is told that its conversation is", async () => {
  const refused = {
    error: { message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" },
  };
  setup.script = (response) => sendJson(response, JSON.stringify(refused), 400);
  const answer = await setup.relay.chat(chat);
  expect([answer.status, answer.json.error?.code]).toEqual([400, "invalid_history"]);
  expect(bodies()).toHaveLength(2);
  expect(await lastEnd()).toMatchObject({ outcome: "released", losses: [] });
});

test("in the Responses API, its items are left out", () => {
  const left: string[] = [];
  const item = { role: "user", content: "look" };
  const reasoning = { type: "reasoning", summary: [], encrypted_content: "of-another" };
  const text = JSON.stringify({ model: "m", input: [item, reasoning, item] });
  const plain = plainerNative(text, ["signed_thinking"], (name) => left.push(name));
  expect([JSON.parse(plain).input, left]).toEqual([[item, item], ["input.reasoning"]]);
  const whole = JSON.stringify({ model: "m", input: "look" });
  expect(plainerNative(whole, ["signed_thinking"], () => {})).toBe(whole);
});

import { expect, test } from "vitest";
import { type Conversation, jsonOf } from "./kept-conversation";
import { conversationOfSession, titleOf } from "./studio-sessions";

const settings = { model: "RelayV1", system: "" };
const order = { key: "k1", settings };
const now = Date.parse("2026-01-01T12:00:00Z");
const asked: Conversation = {
  settings,
  isRunning: true,
  turns: [
    { id: 1, role: "user", text: "What is a relay?" },
    { id: 2, role: "assistant", text: "", order },
  ],
};
const session = {
  id: "s1",
  kind: "text" as const,
  title: "What is a relay?",
  revision: 3,
  updatedAt: "2026-01-01T11:00:00Z",
  content: jsonOf(asked, true),
  answers: [],
};

test("an answer that arrived while no page was open is shown in its turn, with its request", () => {
  const toolCalls = [{ name: "weather", arguments: "{}" }];
  const answers = [{ orderKey: "k1", requestId: "req_1", text: "It passes things on.", toolCalls }];
  const found = conversationOfSession({ ...session, answers }, now);
  expect(found).toMatchObject({ isRunning: false, session: { id: "s1", revision: 3 } });
  expect(found?.turns[1]).toMatchObject({
    text: "It passes things on.",
    facts: { requestId: "req_1", toolCalls },
  });
  expect(found?.turns[1]?.isStopped).toBeUndefined();
});

test("one that still runs is read again; after its time it is not asked for anew", () => {
  const found = conversationOfSession(session, now);
  expect(found).toMatchObject({ isRunning: true, turns: [{}, { order }] });
  const old = conversationOfSession({ ...session, updatedAt: "2025-12-30T11:00:00Z" }, now);
  expect(old).toMatchObject({ isRunning: false, turns: [{}, { isStopped: true }] });
  expect(old?.turns[1]?.order).toBeUndefined();
});

test("a session is named by the first words that were asked", () => {
  const named = (text: string) => titleOf({ ...asked, turns: [{ id: 1, role: "user", text }] });
  expect(named("  Say\nhello. ")).toBe("Say hello.");
  expect(named("word ".repeat(40))).toBe(`${"word ".repeat(12).trim()}…`);
  expect(named("x".repeat(200))).toBe(`${"x".repeat(60)}…`);
  expect(named("a \u202e b")).toBe("a b");
  expect(named("")).toBe("RelayV1");
});

import { beforeEach, expect, test } from "vitest";
import { RequestError } from "./call";
import {
  type Conversation,
  endConversations,
  keepConversation,
  readConversation,
} from "./kept-conversation";

/** Like a browser's storage: its entries are its own properties. */
function newStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, name: string) {
      return Object.hasOwn(this, name) ? this[name] : null;
    },
    setItem(this: Record<string, string>, name: string, value: string) {
      this[name] = value;
    },
    removeItem(this: Record<string, string>, name: string) {
      delete this[name];
    },
  };
  return Object.create(methods) as Storage;
}

let storage: Storage;
beforeEach(() => {
  storage = newStorage();
});

const settings = { model: "RelayV1", system: "Be brief.", temperature: 0.5 };
const conversation: Conversation = {
  settings,
  isRunning: false,
  turns: [
    { id: 1, role: "user", text: "Hi" },
    {
      id: 2,
      role: "assistant",
      text: "",
      error: new RequestError(502, "upstream_failed", "No.", null, "req_1"),
    },
  ],
};

test("a conversation is restored with its failures and settings", () => {
  keepConversation(storage, "user_a", conversation);
  expect(readConversation(storage, "user_a")).toEqual(conversation);
  const error = readConversation(storage, "user_a")?.turns[1]?.error;
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: "upstream_failed", requestId: "req_1", status: 502 });
});

test("an answer that was being read when the page was left is restored as stopped, with what reads it again", () => {
  const order = { key: "key", settings: conversation.settings };
  const turns = [
    conversation.turns[0],
    { id: 2, role: "assistant", text: "Hel", order },
  ] as Conversation["turns"];
  keepConversation(storage, "user_a", { ...conversation, turns, isRunning: true });
  expect(readConversation(storage, "user_a")?.isRunning).toBe(true);
  expect(readConversation(storage, "user_a")?.turns[1]).toEqual({
    id: 2,
    role: "assistant",
    text: "Hel",
    isStopped: true,
    order,
  });
});

test("of several answers that were being read, each is restored as stopped", () => {
  const order = { key: "key", settings: conversation.settings };
  const answer = (id: number, isRival: boolean) =>
    ({ id, role: "assistant", text: "Hel", order, isRival }) as const;
  const [question] = conversation.turns;
  const turns = [...(question ? [question] : []), answer(2, false), answer(3, true)];
  keepConversation(storage, "user_a", { ...conversation, turns, isRunning: true });
  const read = readConversation(storage, "user_a")?.turns ?? [];
  expect(read.map(({ isStopped, isRival }) => [isStopped, isRival])).toEqual([
    [undefined, undefined],
    [true, false],
    [true, true],
  ]);
});

test("a user does not get another user's conversation", () => {
  keepConversation(storage, "user_a", conversation);
  expect(readConversation(storage, "user_b")).toBeNull();
  keepConversation(storage, "user_b", conversation);
  expect(readConversation(storage, "user_a")).toBeNull();
});

test("a cleared conversation is not stored, and an unreadable one counts as none", () => {
  keepConversation(storage, "user_a", conversation);
  keepConversation(storage, "user_a", { ...conversation, turns: [] });
  expect(Object.keys(storage)).toEqual([]);
  storage.setItem("relay.chat.user_a", '{"turns":[{"id":"x"}]}');
  expect(readConversation(storage, "user_a")).toBeNull();
});

test("after sign-out nothing is stored, whatever the page still writes", () => {
  keepConversation(storage, "user_a", conversation);
  storage.setItem("other", "stays");
  endConversations(storage);
  keepConversation(storage, "user_a", conversation);
  expect(Object.keys(storage)).toEqual(["other"]);
});

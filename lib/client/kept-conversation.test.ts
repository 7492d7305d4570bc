import { beforeEach, expect, test } from "vitest";
import { RequestError } from "./call";
import {
  type Conversation,
  endConversations,
  keepConversation,
  readConversation,
} from "./kept-conversation";

/** As a browser's: its entries are its own properties. */
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

test("a conversation comes back as it was, failures and settings too", () => {
  keepConversation(storage, "user_a", conversation);
  const { isRunning, ...rest } = conversation;
  expect(readConversation(storage, "user_a")).toEqual(rest);
  const error = readConversation(storage, "user_a")?.turns[1]?.error;
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: "upstream_failed", requestId: "req_1", status: 502 });
});

test("an answer that was being read when the page was left comes back as stopped", () => {
  const turns = [
    conversation.turns[0],
    { id: 2, role: "assistant", text: "Hel" },
  ] as Conversation["turns"];
  keepConversation(storage, "user_a", { ...conversation, turns, isRunning: true });
  expect(readConversation(storage, "user_a")?.turns[1]).toEqual({
    id: 2,
    role: "assistant",
    text: "Hel",
    isStopped: true,
  });
});

test("nobody reads another user's", () => {
  keepConversation(storage, "user_a", conversation);
  expect(readConversation(storage, "user_b")).toBeNull();
  keepConversation(storage, "user_b", conversation);
  expect(readConversation(storage, "user_a")).toBeNull();
});

test("a cleared conversation is not kept, and what cannot be read is none", () => {
  keepConversation(storage, "user_a", conversation);
  keepConversation(storage, "user_a", { ...conversation, turns: [] });
  expect(Object.keys(storage)).toEqual([]);
  storage.setItem("relay.chat.user_a", '{"turns":[{"id":"x"}]}');
  expect(readConversation(storage, "user_a")).toBeNull();
});

test("signing out leaves nothing, whatever the page still wants to keep", () => {
  keepConversation(storage, "user_a", conversation);
  storage.setItem("other", "stays");
  endConversations(storage);
  keepConversation(storage, "user_a", conversation);
  expect(Object.keys(storage)).toEqual(["other"]);
});

/** Tests that a quote refuses a body as its endpoint does, in the same words. */
import { beforeEach, expect, test } from "vitest";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { answerPlayground } from "../http/playground-lane";

const relay = await opened(openTestRelay({ channels: [] }));
const days = relay.setting.responseDays;
beforeEach(() => {
  relay.setting.responseDays = days;
});

const paths = {
  createChatCompletion: "/v1/chat/completions",
  createMessage: "/v1/messages",
  createResponse: "/v1/responses",
  createImage: "/v1/images/generations",
  createImageEdit: "/v1/images/edits",
  createVideo: "/v1/videos/generations",
  createVideoTask: "/v1/contents/generations/tasks",
  createVideoJob: "/v1/videos",
} as const;
type Name = keyof typeof paths;

const bodies: Readonly<Record<Name, object>> = {
  createChatCompletion: { model: "relay-v1", messages: hello },
  createMessage: { model: "relay-v1", messages: hello, max_tokens: 9 },
  createResponse: { model: "relay-v1", input: "hi" },
  createImage: { model: "super-relay-img", prompt: "A fox" },
  createImageEdit: { model: "super-relay-img", prompt: "A fox", image: "https://a.example/1.png" },
  createVideo: { model: "super-relay-2", prompt: "A fox" },
  createVideoTask: { model: "super-relay-2", content: [{ type: "text", text: "A fox" }] },
  createVideoJob: { model: "super-relay-2", prompt: "A fox" },
};
const callback = { callback_url: "https://a.example/", async: true };
const later = { prefer: "respond-async" };
const tags = { "x-relay-tags": "team=a, =b" };

/** The answers of an endpoint and of its quote to the same body, with the same headers. */
async function both(name: Name, fields: object, headers: Record<string, string> = {}) {
  const body = { ...bodies[name], ...fields };
  const send = (path: string, more: object) =>
    relay.send(path, { body: JSON.stringify({ ...body, ...more }), headers });
  return [await send(paths[name], {}), await send("/v1/quote", { endpoint: name })] as const;
}

test.each<[Name, object, string, Record<string, string>?]>([
  ["createImage", { async: true, response_format: "b64_json" }, "response_format"],
  ["createImage", { async: true, stream: true }, "stream"],
  ["createImage", { response_format: "b64_json" }, "response_format", later],
  ["createImage", { callback_url: callback.callback_url }, "callback_url"],
  ["createImage", { ...callback, async: false }, "callback_url", later],
  ["createImage", { prompt: "a\0b" }, "prompt"],
  ["createImage", {}, "x-relay-tags", tags],
  ["createImageEdit", { async: true, stream: true }, "stream"],
  ["createVideo", { prompt: "a\0b" }, "prompt"],
  ["createVideoJob", { seconds: "5", user: "\0" }, "user"],
  ["createChatCompletion", {}, "x-relay-tags", tags],
  ["createChatCompletion", { metadata: { team: 1 } }, "metadata.team"],
  ["createMessage", {}, "x-relay-tags", tags],
  ["createResponse", { metadata: { "": "a" } }, "metadata."],
  ["createResponse", { background: true, stream: true }, "stream"],
  ["createResponse", { background: true, store: false }, "background"],
])("a quote of %s refuses %j by %s, as the endpoint does", async (name, fields, param, headers) => {
  const [answer, quote] = await both(name, fields, headers);
  expect([answer.status, answer.json.error?.param]).toEqual([400, param]);
  const own = (json: typeof answer.json) => (json as { error: object }).error;
  expect(quote.status).toBe(400);
  // An error of the Messages API has a form of its own.
  expect(own(quote.json)).toMatchObject({ param, message: answer.json.error?.message });
});

test("where responses are not stored, none in the background is quoted", async () => {
  relay.setting.responseDays = 0;
  const [answer, quote] = await both("createResponse", { background: true });
  expect([answer.status, answer.json.error?.param]).toEqual([400, "background"]);
  expect(quote.json.error).toEqual(answer.json.error);
});

test("a request with stored items is not quoted, since they are not read", async () => {
  const input = [{ type: "item_reference", id: "msg_1" }];
  const [, quote] = await both("createResponse", { input });
  expect([quote.status, quote.json.error?.code, quote.json.error?.param]).toEqual([
    400,
    "unsupported_value",
    "input",
  ]);
});

test("a body of more text than its endpoint takes is not quoted", async () => {
  const [answer, quote] = await both("createImage", { other: "x".repeat(1_100_000) });
  expect([answer.status, quote.status]).toEqual([413, 413]);
  expect(quote.json.error).toEqual(answer.json.error);
});

test.each<[Name]>([["createImage"], ["createVideoTask"]])(
  "a callback of %s is quoted with a key, whose secret signs it, and not on a page",
  async (name) => {
    const body = { ...bodies[name], ...callback };
    const find = { publicUrl: "http://relay.test", find: relay.find };
    const signedIn = async () => ({ accountId: relay.accountId, userId: "user_a" });
    const ask = async (path: string, more: object) => {
      const request = new Request(`http://relay.test/api/playground${path}`, {
        method: "POST",
        body: JSON.stringify({ ...body, ...more }),
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      });
      return (await answerPlayground({ ...find, signedIn }, request)).json();
    };
    const refused = { error: { param: "callback_url" } };
    expect(await ask("/v1/quote", { endpoint: name })).toMatchObject(refused);
    expect((await both(name, callback))[1].status).toBe(200);
  },
);

/** Pages of other origins, as their browser asks for them. */
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { saying, usageOf } from "@/testing/upstream/test-upstream";
import { withCrossOrigin } from "./cross-origin";
import { answerRequest } from "./fetch-lane";
import { answerPlayground } from "./playground-lane";

const setup = await scriptedRelay();
const find: typeof setup.relay.find = (...asked) => withCrossOrigin(setup.relay.find)(...asked);
const CHAT = "/v1/chat/completions";
const page = { origin: "https://app.example" };

const ask = (path: string, init: RequestInit) =>
  answerRequest(find, new Request(`http://relay.test${path}`, init));
const chat = (headers: Record<string, string>) =>
  ask(CHAT, {
    method: "POST",
    headers: { "content-type": "application/json", ...page, ...headers },
    body: JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content: "hi" }] }),
  });

test("a preflight is answered without a key: any origin, the asked headers, no credentials", async () => {
  const asked = "authorization, content-type, x-stainless-retry-count, x-api-key";
  const { status, headers } = await ask(CHAT, {
    method: "OPTIONS",
    headers: {
      ...page,
      "access-control-request-method": "POST",
      "access-control-request-headers": asked,
    },
  });
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-headers")).toBe(asked);
  expect(headers.get("access-control-allow-methods")).toContain("POST");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
});

test("names that are none are not sent back", async () => {
  const { headers } = await ask(CHAT, {
    method: "OPTIONS",
    headers: { "access-control-request-method": "POST", "access-control-request-headers": "a;b" },
  });
  expect(headers.get("access-control-allow-headers")).toContain("authorization");
});

test("answers and errors can be read, with the headers that a client needs", async () => {
  setup.script = saying("hi", usageOf(1, 1));
  for (const authorization of ["Bearer good", "Bearer bad"]) {
    const { headers } = await chat({ authorization });
    expect(headers.get("access-control-allow-origin")).toBe("*");
    const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? [];
    for (const name of headers.keys())
      if (name.startsWith("x-r")) expect(exposed, name).toContain(name);
    expect(exposed).toContain("retry-after");
  }
});

test("a client that is no browser, tools and the playground get none of it", async () => {
  setup.script = saying("hi", usageOf(1, 1));
  const plain = await chat({ authorization: "Bearer good", origin: "" });
  expect(plain.status).toBe(200);
  const tools = await ask("/mcp", { method: "POST", headers: page });
  expect(tools.headers.get("access-control-allow-origin")).toBeNull();
  const signedIn = async () => ({ accountId: setup.relay.accountId, userId: "user_a" });
  const request = new Request(`http://relay.test/api/playground${CHAT}`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...page },
    body: JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content: "hi" }] }),
  });
  const answered = await answerPlayground(
    { publicUrl: "http://relay.test", find, signedIn },
    request,
  );
  expect(answered.headers.get("access-control-allow-origin")).toBeNull();
});

test("what is below /.well-known and is not there is an error in JSON", async () => {
  const { status, headers } = await ask("/.well-known/oauth-protected-resource/mcp", {});
  expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  expect(find("GET", "/.well-known/security.txt")).toBeUndefined();
});

import { expect, test } from "vitest";
import { errorOf, serveEndpoints, validChat } from "@/testing/http/serve-endpoints";
import { endpoints } from "../contract/endpoints";
import { RelayError } from "../failures/relay-error";
import type { Incoming } from "./exchange";
import { answerRequest } from "./fetch-lane";

const served = serveEndpoints();
const { ask, find, logged, post } = served;

test("every answer has a request id of ours, and returns the caller's own id in another header", async () => {
  const idsOf = async (headers: Record<string, string>, path = "/v1/models") => {
    const answer = (await ask(path, { headers })).headers;
    expect(answer.get("x-request-id")).toMatch(/^req_/);
    return answer.get("x-client-request-id");
  };
  expect(await idsOf({})).toBeNull();
  expect(await idsOf({ "x-request-id": "req_01k00000000000000000000000" })).toBe(
    "req_01k00000000000000000000000",
  );
  expect(await idsOf({ "x-request-id": "mine-1.2_3", "x-client-request-id": "abc-1" })).toBe(
    "abc-1",
  );
  expect(await idsOf({ "x-request-id": "mine", "x-client-request-id": "abc 1" })).toBe("mine");
  expect(await idsOf({ "x-request-id": "a".repeat(255) })).toBe("a".repeat(255));
  for (const bad of ["", "a".repeat(256), "a b", "é"])
    expect(await idsOf({ "x-request-id": bad })).toBeNull();
  expect(await idsOf({ "x-request-id": "mine" }, "/healthz")).toBe("mine");
  expect(await idsOf({ "x-request-id": "mine" }, "/v1/nothing")).toBe("mine");
});

test("checks run in order: the key, its limit, then the body", async () => {
  const noKey = new Request("http://relay.test/v1/chat/completions", { method: "POST", body: "{" });
  const missing = await errorOf(answerRequest(find, noKey));
  expect(missing.code).toBe("missing_api_key");
  expect(missing.headers.get("www-authenticate")).toBe("Bearer");
  expect(missing.headers.get("x-ratelimit-limit-requests")).toBeNull();
  const authorization = "Bearer limited";
  for (let left = 2; left >= 0; left--) {
    const refused = await errorOf(post("{", { authorization }));
    expect(refused.code).toBe("invalid_json");
    expect(refused.headers.get("x-ratelimit-limit-requests")).toBe("3");
    expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe(String(left));
    expect(Number(refused.headers.get("x-ratelimit-reset-requests"))).toBeLessThanOrEqual(60);
  }
  const limited = await errorOf(post(validChat, { authorization }));
  expect(limited.code).toBe("key_rate_limited");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(limited.headers.get("retry-after"))).toBeLessThanOrEqual(60);
});

test("unknown addresses and wrong methods get different errors", async () => {
  for (const path of [
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/video",
    "/v1/models/a/b",
    "/v1/models/",
    "/v1/chat/completions/",
  ]) {
    expect(await errorOf(ask(path))).toMatchObject({ status: 404, code: "route_not_found" });
  }
  const wrong = await errorOf(ask("/v1/chat/completions", { method: "DELETE" }));
  expect(wrong).toMatchObject({ status: 405, code: "method_not_allowed" });
  expect(wrong.headers.get("allow")).toBe("POST");
  expect(
    (await errorOf(ask("/v1/models/x", { method: "POST", body: "{}" }))).headers.get("allow"),
  ).toBe("GET");
  expect((await ask("/elsewhere")).status).toBe(404);
  expect(find("GET", "/elsewhere")).toBeUndefined();
  expect(await (await ask("/v1/models/a%2Fb")).json()).toEqual({ parameter: "a/b" });
  expect(await errorOf(ask("/v1/models/%E0%A4%A"))).toMatchObject({ code: "route_not_found" });
});

test("a body with another content type, or an encoded one, is refused", async () => {
  for (const type of ["text/plain", "application/jsonx", "multipart/form-data", ""]) {
    expect(await errorOf(post(validChat, { "content-type": type }))).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
    });
  }
  expect(await errorOf(post(validChat, { "content-encoding": "gzip" }))).toMatchObject({
    status: 415,
  });
  for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/json;x"])
    expect((await post(validChat, { "content-type": type })).status).toBe(200);
});

test("a body over the limit is refused before it is read completely, with and without a declared length", async () => {
  const limit = endpoints.createChatCompletion.bodyBytesMax;
  expect(await errorOf(post("x".repeat(limit + 1)))).toMatchObject({
    status: 413,
    code: "body_too_large",
  });
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  const request = new Request("http://relay.test/v1/chat/completions", {
    method: "POST",
    body: endless,
    headers: { authorization: "Bearer endless", "content-type": "application/json" },
    duplex: "half",
  } as RequestInit);
  expect(await errorOf(answerRequest(find, request))).toMatchObject({ status: 413 });
  expect(sent).toBeLessThan(limit + 1_000_000);
});

test("an internal error is logged and not shown to the client", async () => {
  served.thrown = new TypeError("secret at /srv/relay: select * from wallet");
  const response = await post(validChat);
  served.thrown = null;
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text).error).toMatchObject({ code: "internal_error", type: "internal_error" });
  expect(text).not.toContain("secret");
  expect(logged.at(-1)).toContain(response.headers.get("x-request-id"));
});

test("an error's own headers, fields and wait are in its answer", async () => {
  served.thrown = new RelayError("points_held", {
    fields: { held_points: 1.5 },
    retryAfterSeconds: 0.2,
  });
  const response = await post(validChat);
  served.thrown = null;
  expect(response.headers.get("retry-after")).toBe("1");
  expect(((await response.json()) as { error: object }).error).toMatchObject({
    code: "points_held",
    held_points: 1.5,
  });
});

test("an endpoint never rejects, whatever the request", async () => {
  const broken: Incoming = {
    method: "POST",
    path: "/v1/chat/completions",
    query: "",
    header: (name) =>
      ({ "content-type": "application/json", authorization: "Bearer broken" })[name],
    receive: () => Promise.reject(new Error("reset")),
    onGone: () => {},
  };
  expect((await find("POST", "/v1/chat/completions")?.(broken))?.status).toBe(500);
});

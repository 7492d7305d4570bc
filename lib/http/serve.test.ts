import { expect, test } from "vitest";
import type { SignedIn } from "../accounts/principal";
import { endpoints } from "../contract/endpoints";
import { failures, RelayError } from "../errors";
import { createBodyMemory } from "../limits/body-memory";
import { createKeyLimiter } from "../limits/key-limiter";
import { createRunningWork } from "../limits/running-work";
import type { Incoming } from "./exchange";
import { answerRequest } from "./fetch-lane";
import { routeTable } from "./route-table";
import { type Call, jsonTextAnswer, serve } from "./serve";

const logged: string[] = [];
const write = (fields: object, message: string) => void logged.push(JSON.stringify([message, fields]));
const ofAll = { requestsPerMinute: 3, models: [], multiplierPpm: () => 1_000_000 };
const parts = {
  keyRing: {
    identify(authorization: string | undefined) {
      if (authorization === undefined) throw new RelayError("missing_api_key");
      return { kind: "apiKey", accountId: "acct", apiKeyId: authorization, rateSubject: authorization, ...ofAll } as const;
    },
  },
  sessionPrincipal: ({ accountId }: SignedIn) =>
    Promise.resolve({ kind: "session", accountId, apiKeyId: null, rateSubject: `playground:${accountId}`, ...ofAll } as const),
  keyLimiter: createKeyLimiter(),
  log: { info: write, warn: write, error: write },
  once: {
    run: (_key: string, call: Parameters<typeof run>[0]) => Promise.resolve(run(call)),
    runUnkeyed: (call: Parameters<typeof run>[0]) => run(call),
    noteFailure: () => {},
  },
  running: createRunningWork(),
  bodyMemory: createBodyMemory(),
};

let thrown: unknown = null;
const run = (call: Pick<Call, "headers" | "parameter">) => {
  if (thrown) throw thrown;
  return jsonTextAnswer(call, JSON.stringify({ parameter: call.parameter }));
};
const find = routeTable(Object.values(endpoints).map((row) => ({ row, endpoint: serve(row, parts, run) })));

let keys = 0;
function ask(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${++keys}`, "content-type": "application/json", ...init.headers };
  return answerRequest(find, new Request(`http://relay.test${path}`, { ...init, headers }));
}
const post = (body: BodyInit, headers: Record<string, string> = {}) => ask("/v1/chat/completions", { method: "POST", body, headers });
const valid = JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content: "x" }] });

async function errorOf(
  pending: Promise<Response>,
): Promise<{ status: number; code: string; message: string; param: string | null; headers: Headers }> {
  const response = await pending;
  const { error } = (await response.json()) as {
    error: { code: keyof typeof failures; message: string; param: string | null; type: string };
  };
  expect(error.type).toBe(failures[error.code].type);
  expect(response.status).toBe(failures[error.code].status);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-should-retry")).toBe(failures[error.code].isRetryable ? null : "false");
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  return { status: response.status, ...error, headers: response.headers };
}

test("every answer carries a request id of ours, and echoes the caller's own as the client's", async () => {
  const idsOf = async (headers: Record<string, string>, path = "/v1/models") => {
    const answer = (await ask(path, { headers })).headers;
    expect(answer.get("x-request-id")).toMatch(/^req_/);
    return answer.get("x-client-request-id");
  };
  expect(await idsOf({})).toBeNull();
  expect(await idsOf({ "x-request-id": "req_01k00000000000000000000000" })).toBe("req_01k00000000000000000000000");
  expect(await idsOf({ "x-request-id": "mine-1.2_3", "x-client-request-id": "abc-1" })).toBe("abc-1");
  expect(await idsOf({ "x-request-id": "mine", "x-client-request-id": "abc 1" })).toBe("mine");
  expect(await idsOf({ "x-request-id": "a".repeat(255) })).toBe("a".repeat(255));
  for (const bad of ["", "a".repeat(256), "a b", "é"]) expect(await idsOf({ "x-request-id": bad })).toBeNull();
  expect(await idsOf({ "x-request-id": "mine" }, "/healthz")).toBe("mine");
  expect(await idsOf({ "x-request-id": "mine" }, "/v1/nothing")).toBe("mine");
});

test("the key comes first, then its limit, then the body", async () => {
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
  const limited = await errorOf(post(valid, { authorization }));
  expect(limited.code).toBe("key_rate_limited");
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(Number(limited.headers.get("retry-after"))).toBeLessThanOrEqual(60);
});

test("addresses and methods that do not exist are told apart", async () => {
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1/videos", "/v1/models/a/b", "/v1/models/", "/v1/chat/completions/"]) {
    expect(await errorOf(ask(path))).toMatchObject({ status: 404, code: "route_not_found" });
  }
  const wrong = await errorOf(ask("/v1/chat/completions", { method: "DELETE" }));
  expect(wrong).toMatchObject({ status: 405, code: "method_not_allowed" });
  expect(wrong.headers.get("allow")).toBe("POST");
  expect((await errorOf(ask("/v1/models/x", { method: "POST", body: "{}" }))).headers.get("allow")).toBe("GET");
  expect((await ask("/elsewhere")).status).toBe(404);
  expect(find("GET", "/elsewhere")).toBeUndefined();
  expect(await (await ask("/v1/models/a%2Fb")).json()).toEqual({ parameter: "a/b" });
  expect(await errorOf(ask("/v1/models/%E0%A4%A"))).toMatchObject({ code: "route_not_found" });
});

test("a body of another type, or one that is encoded, is refused", async () => {
  for (const type of ["text/plain", "application/jsonx", "multipart/form-data", ""]) {
    expect(await errorOf(post(valid, { "content-type": type }))).toMatchObject({ status: 415, code: "unsupported_media_type" });
  }
  expect(await errorOf(post(valid, { "content-encoding": "gzip" }))).toMatchObject({ status: 415 });
  for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/json;x"])
    expect((await post(valid, { "content-type": type })).status).toBe(200);
});

test("a body over the limit is refused before it is read whole, with and without a declared length", async () => {
  const limit = endpoints.createChatCompletion.bodyBytesMax;
  expect(await errorOf(post("x".repeat(limit + 1)))).toMatchObject({ status: 413, code: "body_too_large" });
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

test.each([
  [{}, "model", "missing_required_parameter"],
  [{ model: 5, messages: [] }, "model", "invalid_value"],
  [{ model: "m" }, "messages", "missing_required_parameter"],
  [{ model: "m", messages: [] }, "messages", "invalid_value"],
  [{ model: "m", messages: "x" }, "messages", "invalid_value"],
  [{ model: "m", messages: [{ role: "owner", content: "x" }] }, "messages[0].role", "invalid_value"],
  [{ model: "m", messages: [{ content: "x" }] }, "messages[0].role", "missing_required_parameter"],
  [{ model: "m", messages: [{ role: "user" }] }, "messages[0].content", "missing_required_parameter"],
  [{ model: "m", messages: [{ role: "user", content: null }] }, "messages[0].content", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: 5 }] }, "messages[0].content", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: [{ type: "input_audio" }] }] }, "messages[0].content[0].type", "unsupported_value"],
  [
    { model: "m", messages: [{ role: "user", content: [{ type: "image_url" }] }] },
    "messages[0].content[0].image_url",
    "missing_required_parameter",
  ],
  [{ model: "m", messages: [{ role: "user", content: "x" }], max_tokens: 0 }, "max_tokens", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], max_tokens: "9" }, "max_tokens", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], max_completion_tokens: 2 ** 53 }, "max_completion_tokens", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], n: 2 }, "n", "n_not_supported"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], n: "1" }, "n", "n_not_supported"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], best_of: 3 }, "best_of", "unsupported_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], models: ["other"] }, "models", "unsupported_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], service_tier: "priority" }, "service_tier", "unsupported_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], stream: "true" }, "stream", "invalid_value"],
  [{ model: "m", messages: [{ role: "user", content: "x" }], stream_options: [] }, "stream_options", "invalid_value"],
])("%j is refused with the path of the field", async (body, param, code) => {
  const error = await errorOf(post(JSON.stringify(body)));
  expect(error).toMatchObject({ status: 400, param, code });
  expect(error.message).toContain(`\`${param}\``);
});

test("assistant turns without text, tool turns and neutral values are accepted", async () => {
  const messages = [
    { role: "assistant", content: null, tool_calls: [{ id: "1" }] },
    { role: "assistant", tool_calls: [{ id: "1" }] },
    { role: "tool", tool_call_id: "1", content: "x" },
    {
      role: "user",
      content: [
        { type: "text", text: "" },
        { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      ],
    },
  ];
  const neutral = {
    n: null,
    best_of: 1,
    service_tier: "auto",
    modalities: ["text"],
    models: null,
    stream: null,
    stream_options: null,
    max_tokens: null,
  };
  expect((await post(JSON.stringify({ model: "m", messages, ...neutral }))).status).toBe(200);
});

test("what breaks inside is told to the log and not to the customer", async () => {
  thrown = new TypeError("secret at /srv/relay: select * from wallet");
  const response = await post(valid);
  thrown = null;
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(text).error).toMatchObject({ code: "internal_error", type: "internal_error" });
  expect(text).not.toContain("secret");
  expect(logged.at(-1)).toContain(response.headers.get("x-request-id"));
});

test("an error's own headers, fields and wait are in its answer", async () => {
  thrown = new RelayError("points_held", { fields: { held_points: 1.5 }, retryAfterSeconds: 0.2 });
  const response = await post(valid);
  thrown = null;
  expect(response.headers.get("retry-after")).toBe("1");
  expect(((await response.json()) as { error: object }).error).toMatchObject({ code: "points_held", held_points: 1.5 });
});

test("an endpoint never rejects, whatever the request is", async () => {
  const broken: Incoming = {
    method: "POST",
    path: "/v1/chat/completions",
    query: "",
    header: (name) => ({ "content-type": "application/json", authorization: "Bearer broken" })[name],
    receive: () => Promise.reject(new Error("reset")),
    onGone: () => {},
  };
  expect((await find("POST", "/v1/chat/completions")?.(broken))?.status).toBe(500);
});

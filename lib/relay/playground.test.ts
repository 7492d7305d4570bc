/**
 * Tests that a signed-in page calls the same endpoints as any client, with the same limits and
 * charges, but without a key.
 */
import { expect, test } from "vitest";
import type { SignedIn } from "@/lib/accounts/principal";
import { answerPlayground } from "@/lib/http/playground-lane";
import { spendPerMember } from "@/lib/queries/member-spend";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";

let signedIn: SignedIn | null;

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel] }));
signedIn = { accountId: relay.accountId, userId: "user_a" };

const origin = "http://relay.test";
const hello = { model: "relay-v1", messages: [{ role: "user", content: "hi" }] };

function ask(
  path: string,
  body?: object,
  headers: Record<string, string> = { "sec-fetch-site": "same-origin" },
) {
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const request = new Request(`${origin}/api/playground${path}`, {
    ...init,
    headers: { "content-type": "application/json", ...headers },
  });
  return answerPlayground(
    { publicUrl: origin, find: relay.find, signedIn: async () => signedIn },
    request,
  );
}

const lastOperation = async () =>
  (
    await relay.pool.query(
      "select account_id, api_key_id, source from request_known order by created_at desc limit 1",
    )
  ).rows[0];

test("a page's chat is held and settled, and recorded as the playground's", async () => {
  const before = await relay.balance();
  const response = await ask("/v1/chat/completions", hello);
  expect(response.status, await response.clone().text()).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  await relay.ends();
  expect(await lastOperation()).toEqual({
    account_id: relay.accountId,
    api_key_id: null,
    source: "playground",
  });
  const charged = Number(before.available - (await relay.balance()).available) / 1e6;
  expect(charged).toBeGreaterThan(0);
  expect(Number(response.headers.get("x-relay-points"))).toBe(charged);
});

test("a stream arrives to its end", async () => {
  const text = await (
    await ask("/v1/chat/completions", {
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    })
  ).text();
  expect(text).toMatch(/"points":[\d.]+/);
  expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
});

test.each([
  [
    "an image",
    "/v1/images/generations",
    { model: "super-relay-img", prompt: "A fox", size: "512x512" },
  ],
  [
    "a video task",
    "/v1/contents/generations/tasks",
    { model: "super-relay", content: [{ type: "text", text: "A fox" }] },
  ],
])("%s also works from the playground", async (_, path, body) => {
  const response = await ask(path, body);
  expect(response.status, await response.clone().text()).toBe(200);
  expect(await lastOperation()).toMatchObject({ api_key_id: null, source: "playground" });
});

test("every other address gives the same answer as with a key", async () => {
  const got = await Promise.all(
    ["/v1/models", "/v1/contents/generations/tasks", "/v1/balance", "/v1/nothing", "/v1/key"].map(
      (path) => ask(path),
    ),
  );
  expect(got.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404]);
  expect(got[0]?.headers.get("x-ratelimit-limit-requests")).toBe("60");
  expect((await ask("/v1/chat/completions", { model: "relay-v1" })).status).toBe(400);
});

test("a client's own Authorization header is ignored, and without a session it is 401", async () => {
  const given = { "sec-fetch-site": "same-origin", authorization: relay.accountId };
  signedIn = null;
  try {
    expect((await ask("/v1/models", undefined, given)).status).toBe(401);
    expect((await ask("/v1/chat/completions", hello, given)).status).toBe(401);
  } finally {
    signedIn = { accountId: relay.accountId, userId: "user_a" };
  }
  expect((await ask("/v1/models", undefined, { authorization: "acct_other" })).status).toBe(200);
});

test("what a person orders is noted under the user before its hold, and nothing of what is refused", async () => {
  const before = (await relay.pool.query("select from playground_operation")).rowCount ?? 0;
  expect((await ask("/v1/chat/completions", hello)).status).toBe(200);
  await relay.ends();
  const noted = await relay.pool.query(
    `select p.user_id, p.account_id, p.created_at <= r.created_at as is_first from playground_operation p
       join request_known r on r.id = p.operation_id order by r.created_at desc limit 1`,
  );
  const note = { user_id: "user_a", account_id: relay.accountId, is_first: true };
  expect(noted.rows).toEqual([note]);
  const spent = await spendPerMember(relay.pool, relay.accountId, 30);
  expect(spent.get("user_a")).toBeGreaterThan(0n);
  const large = { ...hello, max_tokens: 8192, model: "relay-v1" };
  await relay.pool.query("update account set status = 'suspended' where id = $1", [
    relay.accountId,
  ]);
  try {
    expect((await ask("/v1/chat/completions", large)).status).toBe(403);
  } finally {
    await relay.pool.query("update account set status = 'active' where id = $1", [relay.accountId]);
  }
  const after = (await relay.pool.query("select from playground_operation")).rowCount ?? 0;
  expect(after).toBe(before + 1);
});

test("a page of another site cannot spend", async () => {
  const before = await relay.balance();
  expect(
    (await ask("/v1/chat/completions", hello, { "sec-fetch-site": "cross-site" })).status,
  ).toBe(403);
  expect(
    (await ask("/v1/chat/completions", hello, { origin: "https://elsewhere.example" })).status,
  ).toBe(403);
  await relay.ends();
  expect(await relay.balance()).toEqual(before);
});

test("a suspended account is refused", async () => {
  await relay.pool.query("update account set status = 'suspended' where id = $1", [
    relay.accountId,
  ]);
  try {
    expect((await ask("/v1/models")).status).toBe(403);
  } finally {
    await relay.pool.query("update account set status = 'active' where id = $1", [relay.accountId]);
  }
});

test("its own rate limit has its own message", async () => {
  const answers = await Promise.all(Array.from({ length: 61 }, () => ask("/v1/models")));
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.json()).toMatchObject({
    error: {
      code: "key_rate_limited",
      message: expect.stringContaining("The playground may send 60"),
    },
  });
});

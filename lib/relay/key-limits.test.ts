/** How a key's limits are reported to clients: in headers, in errors, and at GET /v1/key. */
import { afterEach, expect, test } from "vitest";
import { zoneWithMidnightIn } from "@/testing/ledger/midnight";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { keyResponse } from "../contract/own-account";
import type { KeyLimitKind } from "../ledger/core/key-limits";
import { pause } from "../timing/pause";

let delayMs = 0;

const upstream = await opened(
  startUpstream(async (response) => {
    await pause(delayMs);
    sendJson(response, completion("hi", { usage: usageOf(20, 200) }));
  }),
);
const channel = upstream.channel({ requestsPerSecond: 0, requestsPerMinute: 0 });
const relay = await opened(openTestRelay({ channels: [channel] }));
afterEach(async () => {
  delayMs = 0;
  for (const kind of ["day", "week", "month", "running", "tokens"] as const)
    await limit(kind, null);
});

const limit = (kind: KeyLimitKind, amount: bigint | null) =>
  relay.ledger.setKeyLimit("key_a", relay.accountId, {
    kind,
    amount,
    zone: kind === "running" || kind === "tokens" ? null : "Asia/Shanghai",
  });
const remaining = (headers: Headers) => headers.get("x-relay-key-remaining");

test("a key without limits gets no header, one with limits what is left of each", async () => {
  expect(remaining((await relay.chat({ max_tokens: 1000 })).headers)).toBeNull();
  await limit("month", 500_000_000n);
  await limit("running", 3n);
  const first = await relay.chat({ max_tokens: 1000 });
  expect([first.status, remaining(first.headers)]).toEqual([
    200,
    expect.stringMatching(/^month=499\.1\d*, running=2$/),
  ]);
  const spent = Number(first.headers.get("x-relay-points"));
  expect(spent).toBe(0.1616);
  const { json } = await relay.send("/v1/key");
  expect(keyResponse.parse(json)).toMatchObject({
    recurring_budgets: [
      {
        period: "month",
        budget_points: 500,
        spent_points: spent,
        held_points: 0,
        remaining_points: 500 - spent,
        zone: "Asia/Shanghai",
      },
    ],
    concurrent_requests_max: 3,
    concurrent_requests: 0,
    tokens_per_minute: null,
    remaining_tokens: null,
  });
  const [month] = keyResponse.parse(json).recurring_budgets;
  expect((month?.renews_at ?? 0) * 1000).toBeGreaterThan(Date.now());
});

test("a budget of a day that is used up says so, what is left, and when it renews", async () => {
  // Less than the least output that is worth buying.
  await limit("day", 100_000n);
  const { status, json } = await relay.chat({ max_tokens: 1000 });
  expect([status, json.error]).toEqual([
    403,
    {
      message: expect.stringMatching(
        /^This request needs 0\.\d+ points; the API key's budget of the day has 0\.1 left\. It renews at 20\d\d-\d\d-\d\dT16:00:00\.000Z\.$/,
      ),
      type: "permission_error",
      param: null,
      code: "key_budget_exhausted",
      remaining_points: 0.1,
      required_points: expect.any(Number),
      period: "day",
      renews_at: expect.any(Number),
    },
  ]);
});

test("a budget of a day that is used up admits again from midnight on", async () => {
  const wanted = { kind: "day", amount: 300_000n, zone: zoneWithMidnightIn(4000) } as const;
  await relay.ledger.setKeyLimit("key_a", relay.accountId, wanted);
  expect((await relay.chat({ max_tokens: 256 })).status).toBe(200);
  const refused = await relay.chat({ max_tokens: 256 });
  expect([refused.status, refused.json.error?.code]).toEqual([403, "key_budget_exhausted"]);
  const renewsAt = Number(refused.json.error?.renews_at) * 1000;
  expect(renewsAt - Date.now()).toBeLessThan(5000);
  await pause(renewsAt - Date.now() + 50);
  expect((await relay.send("/v1/key")).json).toMatchObject({
    recurring_budgets: [{ period: "day", spent_points: 0, remaining_points: 0.3 }],
  });
  const again = await relay.chat({ max_tokens: 256 });
  expect([again.status, remaining(again.headers)]).toEqual([
    200,
    expect.stringMatching(/^day=0\.0\d+$/),
  ]);
});

test("more requests at once than the key may have are refused with a wait", async () => {
  await limit("running", 2n);
  delayMs = 200;
  const answers = await Promise.all(Array.from({ length: 6 }, () => relay.chat()));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(4);
  expect(refused[0]?.json.error).toMatchObject({
    code: "key_rate_limited",
    message:
      "This API key may have 2 requests at once, and has them. Try again when one has ended.",
  });
  expect(refused[0]?.headers.get("retry-after")).toBe("1");
  expect((await relay.chat()).status).toBe(200);
});

test("a minute's tokens that are used refuse the next request until the minute is over", async () => {
  await limit("tokens", 150n);
  const first = await relay.chat();
  expect([first.status, remaining(first.headers)]).toEqual([200, "tokens=150"]);
  const second = await relay.chat();
  // At the change of the minute the second one is the first of the next.
  if (second.status === 200) return;
  expect(second.json.error?.message).toMatch(
    /^This API key may use 150 tokens per minute, and has used them\. Try again in \d+ s\.$/,
  );
  expect(Number(second.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect((await relay.send("/v1/key")).json).toMatchObject({
    tokens_per_minute: 150,
    remaining_tokens: 0,
  });
});

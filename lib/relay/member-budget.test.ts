/** How a member's budget is reported to clients, over keys, playground and videos. */
import { afterEach, beforeAll, expect, test } from "vitest";
import { answerPlayground } from "@/lib/http/playground-lane";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import { keyResponse, usageResponse } from "../contract/own-account";
import type { BudgetPeriod } from "../contract/states";
import { spendPerMember } from "../queries/member-spend";

const keyOf = (maker: string) => `key_${maker}`;

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel] }));
const { pool, accountId } = relay;
beforeAll(async () => {
  await seedMembers(relay);
  for (const maker of ["user_owner", "user_joined"])
    await pool.query(
      "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'made', sha256($3), 'hint', $4)",
      [keyOf(maker), accountId, Buffer.from(maker), maker],
    );
});
afterEach(async () => {
  for (const period of ["day", "week", "month"] as const) await budget(period, null);
});

const budget = (period: BudgetPeriod, amount: bigint | null) =>
  relay.pool.query("select ledger_set_member_budget($1, 'user_joined', $2, $3, $4)", [
    relay.accountId,
    period,
    amount,
    "Asia/Shanghai",
  ]);

const hello = { model: "relay-v1", max_tokens: 1000, messages: [{ role: "user", content: "hi" }] };

async function byKeyOf(maker: string, work = () => relay.chat({ max_tokens: 1000 })) {
  const { setting } = relay;
  const before = setting.principal;
  setting.principal = { ...before, apiKeyId: keyOf(maker), rateSubject: keyOf(maker) };
  try {
    return await work();
  } finally {
    setting.principal = before;
  }
}

async function inPlayground(path: string, body: object, userId = "user_joined") {
  const origin = "http://relay.test";
  const request = new Request(`${origin}/api/playground${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
  });
  const signedIn = async () => ({ accountId: relay.accountId, userId });
  return answerPlayground({ publicUrl: origin, find: relay.find, signedIn }, request);
}

const chat = (userId?: string) => inPlayground("/v1/chat/completions", hello, userId);
const remaining = (headers: Headers) => headers.get("x-relay-member-remaining");

test("a member without a budget gets no header, one with budgets what is left of each, by key and in the playground", async () => {
  expect(remaining((await byKeyOf("user_joined")).headers)).toBeNull();
  await budget("month", 500_000_000n);
  await budget("day", 100_000_000n);
  expect(remaining((await byKeyOf("user_joined")).headers)).toMatch(/^month=49\d\.\d+, day=9\d\./);
  const played = await chat();
  expect([played.status, remaining(played.headers)]).toEqual([
    200,
    expect.stringMatching(/^month=49\d\.\d+, day=9\d\./),
  ]);
  await played.text();
  await relay.ends();
  const { setting } = relay;
  const before = setting.principal;
  setting.principal = { ...before, apiKeyId: keyOf("user_joined") };
  const shown = keyResponse.parse((await relay.send("/v1/key")).json);
  setting.principal = before;
  expect(shown.member_budgets).toMatchObject([
    { period: "day", budget_points: 100, held_points: 0, zone: "Asia/Shanghai" },
    { period: "month", budget_points: 500, held_points: 0 },
  ]);
  expect((await relay.send("/v1/key")).json).toMatchObject({ member_budgets: [] });
  // Of the account, others have their own.
  expect(remaining((await byKeyOf("user_owner")).headers)).toBeNull();
  expect(remaining((await chat("user_owner")).headers)).toBeNull();
  const { rows } = await relay.pool.query("select spent, held from member_budget");
  const spent = (await spendPerMember(relay.pool, relay.accountId, 30)).get("user_joined") ?? 0n;
  expect(BigInt(rows[0].spent)).toBeGreaterThan(0n);
  expect(BigInt(rows[0].spent)).toBeLessThanOrEqual(spent);
});

test("usage by member has what each ordered with keys and in the playground, and adds up", async () => {
  for (const maker of ["user_owner", "user_joined"]) {
    expect((await byKeyOf(maker)).status).toBe(200);
    await (await chat(maker)).text();
  }
  // A key of nobody known.
  expect((await relay.chat({ max_tokens: 1000 })).status).toBe(200);
  await relay.ends();
  const read = (group: string, headers = {}) =>
    byKeyOf("user_owner", () => relay.send(`/v1/usage?group_by=${group}`, { headers }));
  const by = async (group: string) => usageResponse.parse((await read(group)).json);
  const { data, total } = await by("member");
  expect(data.map(({ member, member_email: email }) => [member, email])).toEqual([
    [null, null],
    ["user_joined", "member@example.com"],
    ["user_owner", "owner@example.com"],
  ]);
  expect(total).toEqual((await by("day")).total);
  expect(total.requests).toBe(data.reduce((sum, { requests }) => sum + requests, 0));
  const { text } = await read("member", { accept: "text/csv" });
  expect(text.split("\r\n")[0]).toBe(
    "member,member_email,requests,input_tokens,output_tokens,points",
  );
});

test("a budget that is used up says whose it is, what is left, when it renews and who can raise it", async () => {
  // Less than the least output that is worth buying.
  await budget("day", 100_000n);
  const error = {
    message: expect.stringMatching(
      /^This request needs 0\.\d+ points; the member's budget of the day has 0\.1 left\. It renews at 20\d\d-\d\d-\d\dT16:00:00\.000Z\. An administrator of the account can raise it\.$/,
    ),
    type: "permission_error",
    param: null,
    code: "member_budget_exhausted",
    remaining_points: 0.1,
    required_points: expect.any(Number),
    period: "day",
    renews_at: expect.any(Number),
  };
  const byKey = await byKeyOf("user_joined");
  expect([byKey.status, byKey.json.error]).toEqual([403, error]);
  const played = await chat();
  expect([played.status, await played.json()]).toEqual([403, { error }]);
  // Nothing of what was refused is noted.
  expect(
    (
      await relay.pool.query(
        "select from playground_operation where user_id = 'user_joined' and not exists (select from request_known r where r.id = operation_id)",
      )
    ).rowCount,
  ).toBe(0);
  expect((await byKeyOf("user_owner")).status).toBe(200);
  await budget("day", 100_000_000n);
  expect((await byKeyOf("user_joined")).status).toBe(200);
});

test("videos of a member are held in the member's budget, as tasks and as calls", async () => {
  await budget("week", 1_000_000n);
  const prompt = "A paper boat --resolution 480p --duration 5";
  const task = { model: "super-relay", content: [{ type: "text", text: prompt }] };
  const refused = await inPlayground("/v1/contents/generations/tasks", task);
  expect([refused.status, (await refused.json()).error]).toMatchObject([
    403,
    { code: "member_budget_exhausted", period: "week" },
  ]);
  await budget("week", 900_000_000n);
  expect((await inPlayground("/v1/contents/generations/tasks", task)).status).toBe(200);
  const { rows } = await relay.pool.query(
    "select b.held = q.hold_amount as is_held from member_budget b, open_request q where b.kind = 'week' and q.family = 'video'",
  );
  expect(rows).toEqual([{ is_held: true }]);
});

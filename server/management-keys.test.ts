/** Keys by API, over HTTP against the process as it is composed. */
import { expect, test } from "vitest";
import { managedSite } from "@/testing/composition/managed-site";
import { errorOf, newManager } from "@/testing/composition/managers";

const site = await managedSite();
const { ask, create } = site;
const actionsOn = (subject: string) =>
  site.composed.database.operatorAction.findMany({ where: { subject }, orderBy: { seq: "asc" } });

test("a key is made, read, changed, resumed and revoked, with the rows that the page would write", async () => {
  const expires = Math.floor(Date.now() / 1000) + 86_400;
  const limits = { requests_per_minute: 7, models: ["relay-v1"], expires_at: expires };
  const amounts = { budget_points: 12.5, hourly_spend_points_max: 0.000001 };
  const made = await create({ name: " nightly ", ...limits, ...amounts });
  const shown = { name: "nightly", ...limits, models: ["RelayV1"], ...amounts, status: "active" };
  expect(made).toMatchObject({ status: 200, json: { object: "api_key", ...shown } });
  const { id, key } = made.json;
  expect(key).toMatch(/^sk-rly-[0-9A-Za-z]{46}$/);
  const read = await ask("GET", `/v1/keys/${id}`);
  expect(read.json).toMatchObject(shown);
  expect(JSON.stringify(read.json)).not.toContain(key);
  expect((await ask("GET", "/v1/models", undefined, { key })).status).toBe(200);

  const changed = await ask("PATCH", `/v1/keys/${id}`, { budget_points: null, models: [] });
  expect(changed.json).toMatchObject({ budget_points: null, models: [], name: "nightly" });
  await site.composed.database.apiKey.update({
    where: { id },
    data: { pausedAt: new Date(), pausedSpend: 9n },
  });
  expect((await ask("GET", `/v1/keys/${id}`)).json).toMatchObject({
    status: "paused",
    paused_spend_points: 0.000009,
  });
  expect((await ask("PATCH", `/v1/keys/${id}`, { paused: false })).json.status).toBe("active");
  for (const _ of [1, 2])
    expect((await ask("DELETE", `/v1/keys/${id}`)).json).toMatchObject({ id, status: "revoked" });
  expect(errorOf(await ask("GET", "/v1/models", undefined, { key }))[1]).toBe("api_key_revoked");

  const actions = await actionsOn(id);
  expect(actions.map(({ action, actor }) => [action, actor])).toEqual(
    ["key.create", "key.change", "key.resume", "key.revoke"].map((name) => [name, site.manager.id]),
  );
  expect(actions[0]?.detail).toMatchObject({ account: site.composed.accountId });
});

test("limits that renew or count are set, moved, shown and lifted, and each change is recorded", async () => {
  const made = await create({
    day_budget_points: 5,
    month_budget_points: 50.5,
    budget_zone: "Europe/Berlin",
    concurrent_requests_max: 3,
    allowed_addresses: ["203.0.113.0/24"],
  });
  const { id } = made.json;
  expect(made.json).toMatchObject({
    allowed_addresses: ["203.0.113.0/24"],
    recurring_budgets: [
      { period: "day", budget_points: 5, remaining_points: 5, zone: "Europe/Berlin" },
      { period: "month", budget_points: 50.5, remaining_points: 50.5, zone: "Europe/Berlin" },
    ],
    concurrent_requests_max: 3,
    concurrent_requests: 0,
    tokens_per_minute: null,
  });
  const change = { day_budget_points: null, budget_zone: "Asia/Shanghai", tokens_per_minute: 9 };
  const changed = await ask("PATCH", `/v1/keys/${id}`, change);
  expect(changed.json).toMatchObject({
    recurring_budgets: [{ period: "month", budget_points: 50.5, zone: "Asia/Shanghai" }],
    concurrent_requests_max: 3,
    tokens_per_minute: 9,
    remaining_tokens: 9,
  });
  const [, action] = await actionsOn(id);
  expect(action?.detail).toMatchObject({
    before: { budgetDay: "5.000000", budgetMonth: "50.500000", budgetZone: "Europe/Berlin" },
    after: { budgetDay: null, budgetZone: "Asia/Shanghai", tokensPerMinute: 9 },
  });
  expect(JSON.stringify(action?.detail)).not.toContain("concurrentMax");
});

test("keys are listed newest first, page by page, and only the account's own", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.unshift((await create()).json.id);
  const first = (await ask("GET", "/v1/keys?limit=2")).json;
  expect([first.data.map((key: { id: string }) => key.id), first.has_more]).toEqual([
    ids.slice(0, 2),
    true,
  ]);
  const next = (await ask("GET", `/v1/keys?limit=2&after=${first.last_id}`)).json;
  expect(next.first_id).toBe(ids[2]);
  const theirs = (await ask("GET", "/v1/keys", undefined, { key: site.stranger.secret })).json;
  expect(theirs).toEqual({
    object: "list",
    data: [],
    first_id: null,
    last_id: null,
    has_more: false,
  });
  expect(errorOf(await ask("GET", "/v1/keys?after=key_none"))).toEqual([
    400,
    "invalid_value",
    "after",
  ]);
  expect(errorOf(await ask("GET", "/v1/keys?limit=101"))).toEqual([400, "invalid_value", "limit"]);
  const unknown = await ask("GET", "/v1/keys?page=1");
  expect(errorOf(unknown)).toEqual([400, "unknown_parameter", null]);
  expect(unknown.json.error.message).toContain("`page`");
});

test("another account's key is the same 404 as none, for every method", async () => {
  const { id } = (await create()).json;
  const other = { key: site.stranger.secret };
  for (const [method, body] of [["GET"], ["PATCH", { name: "mine" }], ["DELETE"]] as const) {
    const none = await ask(method, "/v1/keys/key_none", body, other);
    const foreign = await ask(method, `/v1/keys/${id}`, body, other);
    expect(errorOf(foreign)).toEqual([404, "not_found", null]);
    expect(foreign.json).toEqual(none.json);
  }
  expect((await ask("GET", `/v1/keys/${id}`)).json).toMatchObject({ name: "one" });
  expect(errorOf(await ask("GET", `/v1/keys?after=${id}`, undefined, other))).toEqual([
    400,
    "invalid_value",
    "after",
  ]);
});

test.each([
  [{ name: "" }, "name", "invalid_value"],
  [{ name: "x".repeat(81) }, "name", "invalid_value"],
  [{ models: ["gpt-none"] }, "models", "invalid_value"],
  [{ requests_per_minute: 6001 }, "requests_per_minute", "invalid_value"],
  [{ budget_points: -1 }, "budget_points", "invalid_value"],
  [{ budget_points: 0.0000001 }, "budget_points", "invalid_value"],
  [{ budget_points: "5" }, "budget_points", "invalid_value"],
  [{ hourly_spend_points_max: 0 }, "hourly_spend_points_max", "invalid_value"],
  [{ expires_at: 1 }, "expires_at", "invalid_value"],
  [{ allowed_addresses: ["10.0.0.0/33"] }, "allowed_addresses", "invalid_value"],
  [{ allowed_addresses: Array(51).fill("10.0.0.1") }, "allowed_addresses", "invalid_value"],
  [{ accountId: "acct_other" }, null, "unknown_parameter"],
  [{ scopes: ["keys:write"] }, null, "unknown_parameter"],
  [{ allowed_addresses: ["nowhere"] }, "allowed_addresses", "invalid_value"],
  [{ budget_zone: "Europe/Nowhere" }, "budget_zone", "invalid_value"],
  [{ budget_zone: "+05:30" }, "budget_zone", "invalid_value"],
  [{ concurrent_requests_max: 0 }, "concurrent_requests_max", "invalid_value"],
  [{ day_budget_points: 0.00000001 }, "day_budget_points", "invalid_value"],
])("a body with %j is refused at its field, and makes nothing", async (body, param, code) => {
  const before = await site.composed.database.apiKey.count();
  expect(errorOf(await create(body))).toEqual([400, code, param]);
  expect(await site.composed.database.apiKey.count()).toBe(before);
});

test("an Idempotency-Key makes one key, and only the caller that made it reads it again", async () => {
  const before = await site.composed.database.apiKey.count();
  const headers = { "idempotency-key": "order 1" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({}, { headers })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ json }) => json.key)).size).toBe(1);
  expect(await site.composed.database.apiKey.count()).toBe(before + 1);
  const again = await create({}, { headers });
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.json.key).toBe(answers[0]?.json.key);

  expect(errorOf(await create({ name: "two" }, { headers }))[1]).toBe("idempotency_key_reused");
  const second = await newManager(site.composed, site.composed.accountId);
  const { json } = await create({}, { headers, key: second.secret });
  expect(json.error).toMatchObject({ code: "idempotency_key_reused" });
  expect(JSON.stringify(json)).not.toContain(again.json.key);
  // Neither the key's text nor anything that opens it without the management key is stored.
  const rows = await site.composed.database.idempotentRequest.findMany();
  expect(rows.filter(({ endpoint }) => endpoint === "createApiKey")).toHaveLength(1);
  for (const { body } of rows) expect(Buffer.from(body ?? []).includes(again.json.key)).toBe(false);
  // A refusal is not kept: the same key works once the body is right.
  const refused = { "idempotency-key": "order 2" };
  expect((await create({ models: ["none"] }, { headers: refused })).status).toBe(400);
  expect((await create({}, { headers: refused })).status).toBe(200);
});

test("an Idempotency-Key of a request that never ended is free after a day", async () => {
  const { accountId, database } = site.composed;
  const none = new Uint8Array(32);
  await database.$executeRaw`
    insert into idempotent_request (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, state, expires_at)
    values (${accountId}, 'order 3', 'createChatCompletion', ${none}, false, 'req_a', gen_random_uuid(), 'running', now() - interval '1 second')`;
  const before = await database.apiKey.count();
  const answer = await create({}, { headers: { "idempotency-key": "order 3" } });
  expect(answer.status).toBe(200);
  expect(await database.apiKey.count()).toBe(before + 1);
});

test("keys are bounded per account, also when they are made at once", async () => {
  const inUse = await site.composed.database.apiKey.count({
    where: { accountId: site.composed.accountId, revokedAt: null },
  });
  const many = Array.from({ length: 98 - inUse }, (_, at) => ({
    id: `key_filler${at}`,
    accountId: site.composed.accountId,
    name: "filler",
    keyHash: new Uint8Array(32).fill(at + 1),
    hint: "x",
  }));
  await site.composed.database.apiKey.createMany({ data: many });
  const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.json.error.message).toContain("at most 100 keys");
  await site.composed.database.apiKey.updateMany({
    where: { name: "filler" },
    data: { revokedAt: new Date() },
  });
});

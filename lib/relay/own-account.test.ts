import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { ownerUrlOf } from "@/testing/db/test-database";
import { seedMembers } from "@/testing/relay/members";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { saying, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import {
  balanceResponse,
  keyResponse,
  quoteResponse,
  usageResponse,
} from "../contract/own-account";

const today = new Date().toISOString().slice(0, 10);

const upstream = await opened(startUpstream(saying("hi", usageOf(1000, 1000))));
const relay = await opened(
  openTestRelay({
    channels: [upstream.channel({ requestsPerSecond: 0, requestsPerMinute: 0 })],
  }),
);
const database = await opened(
  new pg.Client({ connectionString: ownerUrlOf(relay.seeded.url) }),
  (database) => database.end(),
);
beforeAll(async () => {
  await database.connect();
  await seedMembers(relay);
  await database.query("update api_key set name = $1 where id = 'key_a'", ['=cmd("x"), mine']);
  await database.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ('key_owner', $1, 'owner', sha256('owner'), 'hint', 'user_owner')",
    [relay.accountId],
  );
  for (let sent = 0; sent < 3; sent++) await relay.chat();
  await database.query("insert into account (id) values ('acct_other')");
  await relay.ledger.openWallet("acct_other");
  const day =
    "insert into usage_day (account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount) values ";
  await database.query(
    `${day} ('acct_a', '', 'RelayV1', '2020-02-29', 2, 3, 4, 5), ('acct_other', '', 'RelayV1', '2020-02-29', 9, 9, 9, 9)`,
  );
});

test("the balance is the wallet's, in points", async () => {
  const { status, json } = await relay.send("/v1/balance");
  expect([status, json]).toEqual([200, { available_points: 997.36, held_points: 0 }]);
  expect(balanceResponse.safeParse(json).success).toBe(true);
});

test.each([
  ["day", { day: today }],
  ["model", { model: "RelayV1" }],
  ["key", { key: "key_a", key_name: '=cmd("x"), mine' }],
] as const)("usage by %s adds up to what the ledger charged", async (by, group) => {
  const { json } = await relay.send(`/v1/usage?group_by=${by}`);
  const sums = { requests: 3, input_tokens: 3000, output_tokens: 3000, points: 2.64 };
  expect(usageResponse.parse(json)).toMatchObject({
    to: today,
    group_by: by,
    data: [{ ...group, ...sums }],
    total: sums,
  });
  const { rows } = await database.query("select sum(amount)::bigint as charged from request");
  expect(Number(rows[0].charged)).toBe(2_640_000);
});

test("the requested days limit the sums, and no other account's are in them", async () => {
  const { principal } = relay.setting;
  relay.setting.principal = { ...principal, apiKeyId: "key_owner" };
  const { json } = await relay.send("/v1/usage?from=2020-02-29&to=2020-02-29&group_by=key");
  relay.setting.principal = principal;
  expect(json).toMatchObject({
    data: [{ key: null, key_name: null, requests: 2, points: 0.000005 }],
  });
  expect((await relay.send("/v1/usage?from=2020-03-01&to=2020-03-31")).json.data).toEqual([]);
});

test("usage as CSV is quoted, has the standard's line ends, and cannot run as a formula", async () => {
  const { text, headers } = await relay.send("/v1/usage?group_by=key", {
    headers: { accept: "text/csv" },
  });
  expect(headers.get("content-type")).toMatch(/^text\/csv/);
  expect(text).toBe(
    'key,key_name,requests,input_tokens,output_tokens,points\r\nkey_a,"\'=cmd(""x""), mine",3,3000,3000,2.64\r\n',
  );
  const plain = await relay.send("/v1/usage", {
    headers: { accept: "application/json, text/csv;q=0" },
  });
  expect(plain.headers.get("content-type")).toMatch(/^application\/json/);
});

test.each([
  ["from=2026-02-30", "from", "invalid_value"],
  ["from=2026-02-01&to=2026-01-01", "from", "invalid_value"],
  ["from=2020-01-01&to=2026-01-01", "from", "invalid_value"],
  ["group_by=hour", "group_by", "invalid_value"],
  ["from=2026-01-01&from=2026-01-02", "from", "invalid_value"],
  ["group_by=tag", "group_tag", "missing_required_parameter"],
  ["group_tag=team", "group_tag", "invalid_value"],
  ["tags=team", "tags", "invalid_value"],
  ["group_by=member&tags=team%3Da", "tags", "invalid_value"],
  ["since=2026-01-01", null, "unknown_parameter"],
])("the query %s is refused with the parameter's name", async (query, param, code) => {
  const { status, json } = await relay.send(`/v1/usage?${query}`);
  expect([status, json.error?.param, json.error?.code]).toEqual([400, param, code]);
});

test("a key reads its own limits and spend, with and without a budget", async () => {
  const free = await relay.send("/v1/key");
  expect(keyResponse.parse(free.json)).toMatchObject({
    id: "key_a",
    budget_points: null,
    spent_points: 2.64,
    held_points: 0,
    remaining_points: null,
    callback_secret: "whsec_key_a",
  });
  await relay.ledger.setKeyBudget("key_a", relay.accountId, 3_000_000n);
  const bounded = await relay.send("/v1/key");
  expect(bounded.json).toMatchObject({
    budget_points: 3,
    spent_points: 2.64,
    remaining_points: 0.36,
  });
  await relay.ledger.setKeyBudget("key_a", relay.accountId, null);
});

const quote = (body: object) =>
  relay.send("/v1/quote", {
    body: JSON.stringify({
      endpoint: "createChatCompletion",
      model: "relay-v1",
      messages: hello,
      ...body,
    }),
  });

test("a quote's hold is what the request then holds; a quote spends, holds and sends nothing", async () => {
  const [before, sent] = [await relay.balance(), upstream.seen.length];
  const { status, json } = await quote({ max_tokens: 1000 });
  expect(status).toBe(200);
  const quoted = quoteResponse.parse(json);
  expect(quoted).toMatchObject({
    price: { input: 80, output: 800 },
    multiplier: 1,
    normalized: { model: "RelayV1", max_tokens: 1000, stream: false },
  });
  expect(quoted.estimate_points).toBeLessThanOrEqual(quoted.hold_points);
  expect([await relay.balance(), upstream.seen.length]).toEqual([before, sent]);
  expect((await relay.chat({ model: "relay-v1", max_tokens: 1000 })).status).toBe(200);
  const [held] = (await relay.ends()).slice(-1);
  expect(quoted.hold_points).toBe((held?.held ?? 0) / 1e6);
});

test("a quote uses the caller's own multiplier and may name its endpoint by path", async () => {
  const { principal } = relay.setting;
  const full = quoteResponse.parse(
    (await quote({ endpoint: "/v1/chat/completions", max_tokens: 1000 })).json,
  );
  relay.setting.principal = { ...principal, multiplierPpm: () => 500_000 };
  const half = quoteResponse.parse((await quote({ max_tokens: 1000 })).json);
  relay.setting.principal = principal;
  expect(half.multiplier).toBe(0.5);
  expect(half.hold_points).toBeCloseTo(full.hold_points / 2, 5);
});

test.each([
  [{ endpoint: "listModels" }, "endpoint", "invalid_value"],
  [{ endpoint: undefined }, "endpoint", "missing_required_parameter"],
  [{ n: 2 }, "n", "n_not_supported"],
  [{ model: "super-relay" }, "model", "unsupported_value"],
  [{ model: "nobody" }, "model", "model_not_found"],
])("a quote of %j is refused as the request itself would be", async (body, param, code) => {
  const { json } = await quote(body);
  expect([json.error?.param, json.error?.code]).toEqual([param, code]);
});

test("usage is filtered and grouped by tags, whether or not the requests are in the sums yet", async () => {
  const answers = await Promise.all(
    ["team=a, job=1", "team=b", "team=a"].map((tags) => relay.chat({}, { "x-relay-tags": tags })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const usage = async (query: string) => (await relay.send(`/v1/usage?${query}`)).json;
  const rows = async (query: string) =>
    ((await usage(query)).data as { tag: string | null; requests: number }[]).map(
      ({ tag, requests }) => [tag, requests],
    );
  const tagged = "group_by=tag&group_tag=team";
  expect(await rows(tagged)).toEqual([
    [null, expect.any(Number)],
    ["a", 2],
    ["b", 1],
  ]);
  expect(await rows(`${tagged}&tags=job%3D1`)).toEqual([["a", 1]]);
  expect(await rows(`${tagged}&tags=team%3D`)).toEqual([[null, expect.any(Number)]]);
  expect(await usage("tags=team%3Da")).toMatchObject({
    data: [{ day: today, requests: 2, points: 1.76 }],
    total: { requests: 2 },
  });
  const csv = await relay.send(`/v1/usage?${tagged}`, { headers: { accept: "text/csv" } });
  expect(csv.text.split("\r\n")[0]).toBe("tag,requests,input_tokens,output_tokens,points");
});

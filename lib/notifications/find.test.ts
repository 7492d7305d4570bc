import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import {
  charged,
  connect,
  openTestLedger,
  type SeededAccount,
  seedAccount,
} from "@/testing/ledger/test-ledger";
import { findTogether } from "@/testing/notifications/find-together";
import { opened } from "@/testing/unit/opened";
import { setKeyLimit } from "../ledger/core/key-limits";
import { creditLot } from "../ledger/core/lots";
import { findAll, findAlone } from "./find";

const POINT = 1_000_000n;

const url = await createTestDatabase();
const client = await opened(connect(url));
const owner = await opened(connect(ownerUrlOf(url)));
const ledger = await opened(openTestLedger(url));

const newAccount = (points: bigint) => seedAccount(client, ledger, points * POINT);
const toldOf = async ({ accountId }: SeededAccount, kind: string) =>
  (
    await client.query<{ data: Record<string, unknown> }>(
      "select data from notification where account_id = $1 and kind = $2 order by created_at",
      [accountId, kind],
    )
  ).rows.map(({ data }) => data);

const charge = (account: SeededAccount, points: bigint) => charged(ledger, account, points * POINT);
const credit = ({ accountId }: SeededAccount, points: bigint, ref: string) =>
  ledger.credit({
    accountId,
    kind: "grant",
    ref: `${ref}:${accountId}`,
    amount: points * POINT,
    reason: "test",
    actor: "system",
  });

test("a balance below the points is told once, and again only after it rose a fifth above them", async () => {
  const account = await newAccount(100n);
  await client.query(
    "update account set low_balance_notice = $2, low_balance_days = null where id = $1",
    [account.accountId, (50n * POINT).toString()],
  );
  await findTogether(url);
  expect(await toldOf(account, "balance_low")).toEqual([]);
  await charge(account, 60n);
  await findTogether(url);
  await findTogether(url);
  expect(await toldOf(account, "balance_low")).toEqual([
    { available_points: "40", below_points: "50", days_left: 4.6 },
  ]);
  // To and fro about the mark is no new crossing.
  await credit(account, 15n, "a");
  await findAll(client);
  await charge(account, 15n);
  await findAll(client);
  expect(await toldOf(account, "balance_low")).toHaveLength(1);
  await credit(account, 20n, "b");
  await findAll(client);
  await charge(account, 20n);
  await findTogether(url);
  expect(await toldOf(account, "balance_low")).toHaveLength(2);
});

test("a balance that lasts for fewer days than wanted at the recent rate is told", async () => {
  const account = await newAccount(100n);
  await charge(account, 65n);
  await findAll(client);
  expect(await toldOf(account, "balance_low")).toEqual([]);
  await charge(account, 10n);
  await findAll(client);
  expect(await toldOf(account, "balance_low")).toEqual([
    { available_points: "25", below_points: "32.142857", days_left: 2.3 },
  ]);
});

test("a budget is told at 80 and 100 % once for each window; a raised lifetime is armed again", async () => {
  const account = await newAccount(1000n);
  const { accountId, apiKeyId } = account;
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const limit = (kind: "day", points: bigint) =>
    setKeyLimit(pool, apiKeyId, accountId, { kind, amount: points * POINT, zone: "UTC" });
  const lifetime = (points: bigint) =>
    client.query("select ledger_set_key_budget($1, $2, $3)", [apiKeyId, accountId, points * POINT]);
  await limit("day", 100n);
  await lifetime(1000n);
  await charge(account, 79n);
  await findTogether(url);
  expect(await toldOf(account, "key_budget")).toEqual([]);
  await charge(account, 1n);
  await findTogether(url);
  await charge(account, 20n);
  await findTogether(url);
  const told = { id: apiKeyId, name: "test", limit: "day", budget_points: "100" };
  expect(await toldOf(account, "key_budget")).toEqual([
    { keys: [{ ...told, percent: 80, spent_points: "80" }], more: 0 },
    { keys: [{ ...told, percent: 100, spent_points: "100" }], more: 0 },
  ]);
  // The next window.
  await owner.query(
    "update api_key_budget set starts_at = ends_at, ends_at = ends_at + interval '1 day', spent = 85000000 where api_key_id = $1 and kind = 'day'",
    [apiKeyId],
  );
  await findAll(client);
  await lifetime(100n);
  await findTogether(url);
  await lifetime(200n);
  await findTogether(url);
  await lifetime(100n);
  await findTogether(url);
  const used = { keys: [{ limit: "lifetime", percent: 100 }] };
  expect((await toldOf(account, "key_budget")).slice(2)).toMatchObject([
    { keys: [{ limit: "day", percent: 80 }] },
    used,
    used,
  ]);
  await pool.end();
});

test("a tag's budget is told at 80 and 100 % once for each window", async () => {
  const account = await newAccount(1000n);
  await client.query("select ledger_set_tag_budget($1, 'team', 'a', 'day', $2, 'UTC', 10)", [
    account.accountId,
    100n * POINT,
  ]);
  const spend = async (points: bigint) => {
    await charged(ledger, account, points * POINT, { tags: { team: "a" } });
    await findTogether(url);
  };
  await spend(79n);
  expect(await toldOf(account, "tag_budget")).toEqual([]);
  await spend(1n);
  await spend(20n);
  const told = { tag: "team=a", limit: "day", budget_points: "100" };
  expect(await toldOf(account, "tag_budget")).toEqual([
    { tags: [{ ...told, percent: 80, spent_points: "80" }], more: 0 },
    { tags: [{ ...told, percent: 100, spent_points: "100" }], more: 0 },
  ]);
});

test("a thousand keys that expire soon are one notification for each account, and one day's key is told of in its last quarter", async () => {
  const accounts = await Promise.all(Array.from({ length: 10 }, () => newAccount(1n)));
  for (const { accountId } of accounts)
    await client.query(
      `insert into api_key (id, account_id, name, key_hash, hint, created_at, expires_at)
       select $1 || '_' || i, $1, 'k' || i, sha256(($1 || i)::bytea), 'h', now() - interval '60 days', now() + interval '6 days' from generate_series(1, 99) i`,
      [accountId],
    );
  const [first] = accounts as [SeededAccount];
  await client.query(
    "update api_key set created_at = now() - interval '17 hours', expires_at = now() + interval '7 hours' where id = $1",
    [first.apiKeyId],
  );
  await findTogether(url);
  await findTogether(url);
  for (const account of accounts) {
    const [told, ...others] = await toldOf(account, "key_expiring");
    expect(others).toEqual([]);
    expect(told?.keys).toHaveLength(50);
    expect(told?.more).toBe(49);
  }
  await client.query("update api_key set expires_at = now() + interval '5 hours' where id = $1", [
    first.apiKeyId,
  ]);
  await findAll(client);
  expect(await toldOf(first, "key_expiring")).toMatchObject([
    {},
    { keys: [{ name: "test" }], more: 0 },
  ]);
});

test("points that end within three days are told of once, if they were given for a week or longer", async () => {
  const account = await newAccount(1n);
  const give = (source: string, hours: number) =>
    creditLot(owner, {
      accountId: account.accountId,
      kind: "plan",
      ref: `${source}:${account.accountId}`,
      amount: 5n * POINT,
      reason: source,
      actor: "system",
      endsAt: new Date(Date.now() + hours * 3_600_000),
    });
  await give("week", 170);
  await give("day", 48);
  await findAll(client);
  expect(await toldOf(account, "points_ending")).toEqual([]);
  await client.query(
    "update point_lot set ends_at = ends_at - interval '100 hours' where source = 'week'",
  );
  await client.query("set session_replication_role = replica");
  await client.query(
    "update ledger_entry set created_at = created_at - interval '100 hours' where kind = 'plan'",
  );
  await client.query("reset session_replication_role");
  await charge(account, 2n);
  await findTogether(url);
  await findTogether(url);
  // The points of the day were used first.
  expect(await toldOf(account, "points_ending")).toMatchObject([
    { lots: [{ reason: "week", left_points: "5" }], more: 0 },
  ]);
});

test("a price to come is told to those who used the model, once", async () => {
  const [user, other, barred] = [
    await newAccount(10n),
    await newAccount(10n),
    await newAccount(10n),
  ];
  await charge(user, 1n);
  await charge(barred, 1n);
  await client.query(
    "insert into account_group (id, name, models, created_by) values ('grp_other', 'Others', '{RelayV1}', 'test')",
  );
  await client.query("update account set group_id = 'grp_other' where id = $1", [barred.accountId]);
  await client.query(
    "insert into price_version (model, input_price, output_price, created_by, effective_at) values ('test-model', 1, 1, 'test', now() + interval '9 days')",
  );
  await findTogether(url);
  await findTogether(url);
  expect(await toldOf(other, "price_change")).toEqual([]);
  expect(await toldOf(barred, "price_change")).toEqual([]);
  expect(await toldOf(user, "price_change")).toMatchObject([
    { models: [{ model: "test-model" }], more: 0 },
  ]);
});

test("cut off in between, nothing is lost or told twice", async () => {
  const account = await newAccount(1n);
  await client.query("update account set low_balance_notice = 5000000 where id = $1", [
    account.accountId,
  ]);
  const cut = await connect(url);
  cut.on("error", () => {});
  const { rows } = await cut.query<{ pid: number }>("select pg_backend_pid() as pid");
  // It waits for the row's lock when it is killed.
  await client.query("begin");
  await client.query(
    "insert into notification_told (account_id, subject) values ($1, 'balance_low')",
    [account.accountId],
  );
  const finding = findAll(cut).catch(() => "cut");
  await expect
    .poll(async () => (await owner.query("select 1 from pg_locks where not granted")).rowCount)
    .toBeGreaterThan(0);
  await owner.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await client.query("rollback");
  expect(await finding).toBe("cut");
  await findTogether(url);
  expect(await toldOf(account, "balance_low")).toHaveLength(1);
});

test("one process leads until its connection ends", async () => {
  const [one, two] = [await connect(url), await connect(url)];
  expect([await findAlone(one), await findAlone(two)]).toEqual([true, false]);
  await one.end();
  await expect.poll(() => findAlone(two)).toBe(true);
  await two.end();
});

import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newOperationId } from "../crypto/ids";
import { fixedSecrets } from "../crypto/secrets";
import type { OrderReader } from "../db/order-readers";
import { openPool } from "../db/pool";
import { reseal } from "../db/reseal";
import { sealedKeys } from "../stored-responses/account-key";
import { createContentKeeper } from "./content-keeper";
import { findContent, removeContent } from "./kept-content";

const secrets = fixedSecrets("s".repeat(32));
let accounts = 0;
let account = "";

const url = await createTestDatabase();
const pool = await opened(openPool(url, 4));
const owner = await opened(connect(url));
const keeper = createContentKeeper({ pool, secrets }, (error) => {
  throw error;
});
beforeEach(async () => {
  account = `acct_${++accounts}`;
  await pool.query("insert into account (id, content_days) values ($1, 7)", [account]);
});

async function keep(input: string, userId: string | null = null): Promise<string> {
  const operationId = newOperationId();
  const ordered = {
    operationId,
    accountId: account,
    apiKeyId: null,
    userId,
    model: "m",
    isKept: true,
    studio: null,
  };
  const draft = keeper.open(ordered, input);
  draft?.add("the ");
  draft?.add("answer");
  draft?.end();
  await keeper.flush();
  return operationId;
}
const read = (operationId: string, reader: OrderReader | null = null, accountId = account) =>
  findContent({ pool, secrets }, { operationId, accountId, reader });
const counted = async () =>
  (
    await pool.query(
      `select contents::int, content_bytes::int as bytes,
              (select count(*)::int from request_content where account_id = $1) as rows,
              (select coalesce(sum(bytes), 0)::int from request_content where account_id = $1) as sum
         from response_account where account_id = $1`,
      [account],
    )
  ).rows[0];

test("it is read by its account alone, by members who may, and gone once it is removed", async () => {
  const id = await keep("the question", "user_a");
  expect(await read(id)).toMatchObject({ input: "the question", output: "the answer" });
  const member = (userId: string) => ({ accountId: account, apiKeyId: null, userId, models: [] });
  expect(await read(id, member("user_a"))).not.toBeNull();
  expect(await read(id, member("user_b"))).toBeNull();
  expect(await read(id, null, "acct_other")).toBeNull();
  const named = { operationId: id, accountId: account };
  expect(await removeContent(pool, { ...named, reader: member("user_b") })).toBe(false);
  expect(await removeContent(pool, { ...named, reader: null })).toBe(true);
  expect(await read(id)).toBeNull();
  expect(await counted()).toEqual({ contents: 0, bytes: 0, rows: 0, sum: 0 });
});

test("it is not read after its time, nor under another id, nor once its account is erased", async () => {
  const [old, other] = [await keep("old"), await keep("other")];
  await owner.query(
    "update request_content set operation_id = gen_random_uuid() where operation_id = $1",
    [other],
  );
  const moved = await pool.query<{ id: string }>(
    "select operation_id as id from request_content where account_id = $1 and operation_id <> $2",
    [account, old],
  );
  expect(await read(moved.rows[0]?.id ?? "")).toBeNull();
  await pool.query("update request_content set expires_at = now() where operation_id = $1", [old]);
  expect(await read(old)).toBeNull();
  await pool.query("select account_erase($1)", [account]);
  expect(
    (await pool.query("select from request_content where account_id = $1", [account])).rowCount,
  ).toBe(0);
  expect(await read(await keep("late"))).toBeNull();
});

test("a new setting of the account holds for what it keeps already", async () => {
  const id = await keep("the question");
  const daysLeft = async () => {
    const found = await read(id);
    return found && Math.round((found.expiresAt.getTime() - Date.now()) / 86_400_000);
  };
  for (const days of [30, 1]) {
    await pool.query("update account set content_days = $2 where id = $1", [account, days]);
    expect(await daysLeft()).toBe(days);
  }
  await pool.query("update account set content_days = null where id = $1", [account]);
  expect(await daysLeft()).toBeNull();
  expect(await counted()).toEqual({ contents: 0, bytes: 0, rows: 0, sum: 0 });
});

test("it is still read after the secret was rotated", async () => {
  const id = await keep("the question");
  const rotated = fixedSecrets("t".repeat(32), "s".repeat(32));
  await reseal(pool, sealedKeys, rotated);
  const after = fixedSecrets("t".repeat(32));
  const named = { operationId: id, accountId: account, reader: null };
  expect(await findContent({ pool, secrets: after }, named)).toMatchObject({
    input: "the question",
  });
  await reseal(pool, sealedKeys, fixedSecrets("s".repeat(32), "t".repeat(32)));
});

test("above the most rows of an account its oldest leave, and what is counted is what is there", async () => {
  await keep("the newest");
  await owner.query(
    `insert into request_content (operation_id, account_id, model, input, created_at, expires_at)
     select gen_random_uuid(), $1, 'm', '\\x00', now() - make_interval(secs => i), now() + interval '1 day'
       from generate_series(1, 10000) i`,
    [account],
  );
  const after = await counted();
  expect(after).toMatchObject({ contents: after.rows, bytes: after.sum, rows: 9000 });
  const { rows } = await pool.query<{ oldest: number }>(
    "select extract(epoch from now() - min(created_at))::int as oldest from request_content where account_id = $1",
    [account],
  );
  expect(rows[0]?.oldest).toBeLessThan(9100);
});

test("above the most rows those leave whose member has most", async () => {
  await keep("of the few", "user_few");
  await owner.query(
    `insert into request_content (operation_id, account_id, user_id, model, input, created_at, expires_at)
     select gen_random_uuid(), $1, case when i > 9500 then 'user_few' else 'user_many' end, 'm', '\\x00',
            now() - make_interval(secs => i), now() + interval '1 day' from generate_series(1, 10001) i`,
    [account],
  );
  const { rows } = await pool.query(
    "select user_id, count(*)::int from request_content where account_id = $1 group by 1 order by 1",
    [account],
  );
  expect(rows).toEqual([
    { user_id: "user_few", count: 502 },
    { user_id: "user_many", count: 8498 },
  ]);
});

test("what waits while the database is away is written once it is back", async () => {
  await owner.query("alter table request_content rename to away");
  await expect(keep("waits")).rejects.toThrow();
  await owner.query("alter table away rename to request_content");
  await keeper.flush();
  expect(await counted()).toMatchObject({ rows: 1 });
});

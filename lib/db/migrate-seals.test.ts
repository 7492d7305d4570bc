import { expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { writeHistory } from "@/testing/ledger/history";
import { openEarlier } from "@/testing/ledger/sealed-history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../ledger/audit";
import { auditSealed } from "../ledger/audit-sealed";
import { countAll } from "../ledger/usage-counter";

const name = "20261125003000_ledger_seals";

test("a process of the release before works on while the seals are added, and its requests are sealed once", async () => {
  const { url, migrate } = await databaseBefore(name);
  const [owner, during] = await Promise.all([1, 2].map(() => connect(url)));
  if (!owner || !during) throw new Error("two connections were opened");
  await seedPrice(owner);
  await writeHistory(owner, { accounts: 3, requests: 600, days: 5, open: 3, seed: 1 });
  const end = (operationId: string, accountId: string) =>
    owner.query<{ answer: string }>("select ledger_apply('x', array[$1], $2, null) as answer", [
      accountId,
      JSON.stringify([
        { i: 0, id: operationId, account: accountId, settled: false, amount: 0, reason: "test" },
      ]),
    ]);
  // As that release opens a request: it is not committed when the migration begins.
  await during.query("begin");
  const { rows } = await during.query<{ id: string; account_id: string }>(
    `insert into operation (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                            request_sha256, node_id, created_at, deadline)
       select gen_random_uuid(), account_id, source, request_id, family, model, price_version_id, multiplier_ppm, 5, 5, request_sha256, node_id,
              now(), now() + interval '1 day' from operation order by id limit 1 returning id, account_id`,
  );
  const { id = "", account_id: account = "" } = rows[0] ?? {};
  await during.query(
    "update wallet set version = version + 1, debits_pending = debits_pending + 5, open_holds = open_holds + 1 where account_id = $1",
    [account],
  );
  const migrated = migrate("all");
  const own = await owner.query<{ oid: string }>(
    "select oid from pg_database where datname = current_database()",
  );
  const waiting = async () =>
    (
      await owner.query<{ n: number }>(
        "select count(*)::int as n from pg_locks where not granted and database = $1::oid",
        [own.rows[0]?.oid],
      )
    ).rows[0]?.n;
  await expect.poll(waiting).toBe(1);
  await during.query("commit");
  expect(await migrated).toContain(name);

  // What it opened before, and what it opens from now on, ends as ever.
  expect((await end(id, account)).rows).toEqual([{ answer: "d0;" }]);
  const later = await openEarlier(owner, "acct_history_2", 30, 30);
  expect((await end(later.operationId, later.accountId)).rows).toEqual([{ answer: "d0;" }]);
  await countAll(owner);
  const failing = async () =>
    [
      ...(await auditLedger(owner)).checks,
      ...(await auditSealed(owner, { isFull: true })).checks,
    ].filter(({ ok }) => !ok);
  expect(await failing()).toEqual([]);
  const stray = await openEarlier(owner, "acct_history_3", 60, 60);
  expect((await end(stray.operationId, stray.accountId)).rows).toEqual([{ answer: "d0;" }]);
  await countAll(owner);
  expect(await failing()).toEqual([]);
  const { rows: counts } = await owner.query<{ pieces: number; seals: number }>(
    "select (select sum(requests)::int from ledger_piece) as pieces, (select count(*)::int from ledger_seal) as seals",
  );
  expect(counts[0]?.pieces).toBe(600 - 3 + 3);
  expect(counts[0]?.seals).toBeGreaterThan(3);
  await Promise.all([owner.end(), during.end()]);
});

import type pg from "pg";
import { expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { writeHistory } from "@/testing/ledger/history";
import { openEarlier } from "@/testing/ledger/sealed-history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../ledger/audit";
import { auditSealed } from "../ledger/audit-sealed";
import { makePartitions } from "../ledger/partitions";
import { countAll } from "../ledger/usage-counter";

const first = "20261126002100_partition_bound";
const steps = [
  first,
  "20261126002110_partition_bound_valid",
  "20261126002120_partitions",
  "20261126002130_partition_statistics",
  "20261126002140_batch_bounds",
];

async function history(requests = 600) {
  const { url, migrate } = await databaseBefore(first);
  const owner = await connect(url);
  await seedPrice(owner);
  await writeHistory(owner, { accounts: 3, requests, days: 40, open: 3, seed: 1 });
  return { url, owner, migrate };
}

const end = async (client: pg.Client, { operationId, accountId }: Opened) =>
  (
    await client.query<{ answer: string }>(
      "select ledger_apply('x', array[$1], $2, null) as answer",
      [
        accountId,
        JSON.stringify([
          { i: 0, id: operationId, account: accountId, settled: false, amount: 0, reason: "test" },
        ]),
      ],
    )
  ).rows[0]?.answer;
type Opened = { readonly operationId: string; readonly accountId: string };

const failing = async (owner: pg.Client) => {
  await countAll(owner);
  return [
    ...(await auditLedger(owner)).checks,
    ...(await auditSealed(owner, { isFull: true })).checks,
  ].filter(({ ok }) => !ok);
};
const rowsOf = async (client: pg.Client, sql: string) => (await client.query(sql)).rows;

/** Inserts a request as the release before does, with any id. */
const openAs = async (client: pg.Client, id: string): Promise<Opened> => {
  const { rows } = await client.query<Opened>(
    `with o as (
       insert into operation (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                              request_sha256, node_id, created_at, deadline)
         select ${id}, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, 5, 5, request_sha256, node_id,
                now(), now() + interval '1 day' from operation order by id limit 1 returning id, account_id), w as (
       update wallet set version = version + 1, debits_pending = debits_pending + 5, open_holds = open_holds + 1
         from o where wallet.account_id = o.account_id)
     select id as "operationId", account_id as "accountId" from o`,
  );
  if (!rows[0]) throw new Error("a request was opened");
  return rows[0];
};
const today = "ledger_first_id(clock_timestamp())";

test("the rows of an existing database stay in their file, and a process of the release before works on", async () => {
  const { url, owner, migrate } = await history();
  const [during, reader] = await Promise.all([connect(url), connect(url)]);
  const before = await rowsOf(
    owner,
    "select pg_relation_filepath('operation') as operation, pg_relation_filepath('settlement') as settlement",
  );
  const sums = "select md5(string_agg(t::text, ',' order by t::text)) from";
  const rows = [
    await rowsOf(owner, `${sums} operation t`),
    await rowsOf(owner, `${sums} settlement t`),
    await rowsOf(owner, `${sums} usage_row t`),
    await rowsOf(owner, `${sums} ledger_journal t`),
  ];
  // Its plans are kept when the tables change their names.
  const log = {
    name: "log",
    text: "select count(*)::int as n from operation o join settlement s on s.operation_id = o.id",
  };
  for (let at = 0; at < 7; at++) await reader.query(log);
  await during.query("begin");
  const opened = await openAs(during, today);
  const migrated = migrate("all");
  await new Promise((resolve) => setTimeout(resolve, 700));
  await during.query("commit");
  expect((await migrated).slice(0, steps.length)).toEqual(steps);

  expect(
    await rowsOf(
      owner,
      "select pg_relation_filepath('operation_earlier') as operation, pg_relation_filepath('settlement_earlier') as settlement",
    ),
  ).toEqual(before);
  expect(await end(during, opened)).toBe("d0;");
  expect((await reader.query<{ n: number }>(log)).rows[0]?.n).toBe(598);
  const others = "where t.id <> $1".replace("$1", `'${opened.operationId}'`);
  expect([
    await rowsOf(owner, `${sums} operation t ${others}`),
    await rowsOf(owner, `${sums} settlement t ${others.replace("t.id", "t.operation_id")}`),
    await rowsOf(owner, `${sums} usage_row t ${others}`),
    await rowsOf(owner, `${sums} ledger_journal t`),
  ]).toEqual(rows);
  const later = await openEarlier(owner, "acct_history_2", 30, 30);
  expect(await end(owner, later)).toBe("d0;");
  expect(await failing(owner)).toEqual([]);
  expect(await migrate("all")).toEqual([]);
  await Promise.all([owner.end(), during.end(), reader.end()]);
});

test("killed while it reads the rows or waits for its lock, it changes nothing, requests go on, and it ends at the next start", async () => {
  const { url, owner, migrate } = await history();
  const blocker = await connect(url);
  const kill = async (query: string) => {
    const found = `select pid from pg_stat_activity where datname = current_database() and query like $1 and pid <> pg_backend_pid()`;
    await expect
      .poll(async () => (await owner.query(found, [query])).rowCount, { timeout: 10_000 })
      .toBeGreaterThan(0);
    await owner.query(`select pg_terminate_backend(pid) from (${found}) f`, [query]);
  };
  for (const [lock, query] of [
    ["lock table operation in share mode", "%without a look at its rows%"],
    ["lock table operation in share update exclusive mode", "%Reads the rows once%"],
    ["lock table image_result in access share mode", "%become partitioned by ranges%"],
  ] as const) {
    await blocker.query("begin");
    await blocker.query(lock);
    const migrated = migrate("all").then(
      () => "done",
      () => "killed",
    );
    await kill(query);
    expect(await migrated).toBe("killed");
    await blocker.query("rollback");
    expect(await end(owner, await openAs(owner, today))).toBe("d0;");
    // The next one comes further: what was done stays.
    if (lock.includes("share mode")) await migrate("one");
  }
  expect(await migrate("all")).toContain(steps.at(-1));
  expect(await end(owner, await openAs(owner, today))).toBe("d0;");
  expect(await failing(owner)).toEqual([]);
  await Promise.all([owner.end(), blocker.end()]);
}, 60_000);

test("a request of a clock years ahead is kept apart, ends, and moves when its month has a partition", async () => {
  const { owner, migrate } = await history(200);
  const early = await openAs(owner, "ledger_first_id('2035-05-05')");
  await migrate("all");
  const late = await openAs(owner, "ledger_first_id('2035-05-06')");
  const state = () => rowsOf(owner, "select strays from ledger_partition_state()");
  expect(await state()).toEqual([{ strays: 2 }]);
  expect(await end(owner, early)).toBe("d0;");
  await owner.query(
    `select ledger_add_partition(t, t || '_2035_05', ledger_first_id('2035-05-01'), ledger_first_id('2035-06-01'))
       from unnest(array['settlement', 'operation']) t`,
  );
  expect(await state()).toEqual([{ strays: 0 }]);
  expect(await end(owner, early)).toBe("r0;");
  expect(await end(owner, late)).toBe("d0;");
  expect(await rowsOf(owner, "select count(*)::int as n from settlement_2035_05")).toEqual([
    { n: 2 },
  ]);
  expect(await failing(owner)).toEqual([]);
  expect(await makePartitions(owner)).toBe(0);
  await owner.end();
});

/** The way from release 0.1.0. */
import { join } from "node:path";
import type pg from "pg";
import { afterEach, expect, test } from "vitest";
import { openReleaseBefore, type ReleaseBefore } from "@/testing/db/release-before";
import { schemaLines } from "@/testing/db/schema-lines";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { connect, newSpoolFolder, openTestLedger } from "@/testing/ledger/test-ledger";
import { contentsOf } from "@/testing/upgrade/contents";
import { openHistoryBefore } from "@/testing/upgrade/history-before";
import { type KillPoint, openKilledUpgrade } from "@/testing/upgrade/killed-upgrade";
import { type AuditReport, auditLedger } from "../../ledger/audit/audit";
import { auditSealed } from "../../ledger/audit/audit-sealed";
import { openSpool, storeId } from "../../ledger/core/spool";
import { countAll } from "../../ledger/usage/usage-counter";
import { applyMigrations, migrationNames } from "../migrate";

const root = join(import.meta.dirname, "../../..");
const PIECE = 20;
const STOPPED = "being_upgraded_to_the_next_release_stop_this_process";

const clients: pg.Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
async function ownerOf(release: ReleaseBefore): Promise<pg.Client> {
  const client = await connect(release.ownerUrl);
  clients.push(client);
  return client;
}

/** As pg_dump and a load did with those of 0.1.0: `between` is two conditions of a longer list. */
const reloadChecks = `do $$ declare c record; begin
  for c in select conrelid::regclass as name, conname, pg_get_constraintdef(k.oid) as text
             from pg_constraint k join pg_class r on r.oid = conrelid
            where contype = 'c' and connamespace = 'public'::regnamespace
              and not relispartition loop
    execute format('alter table %s drop constraint %I, add constraint %2$I %3$s', c.name, c.conname,
      c.text);
  end loop; end $$`;

async function expectNewSchema(owner: pg.Client): Promise<void> {
  const fresh = await connect(ownerUrlOf(await createTestDatabase()));
  for (const client of [owner, fresh]) await client.query(reloadChecks);
  expect(await schemaLines(owner)).toEqual(await schemaLines(fresh));
  await fresh.end();
  const { rows } = await owner.query<{ name: string }>(
    "select migration_name as name from _prisma_migrations order by 1",
  );
  expect(rows.map(({ name }) => name)).toEqual(migrationNames(root));
}

type Audit = (client: pg.Client) => Promise<AuditReport>;
const fullAudit: Audit = (client) => auditSealed(client, { isFull: true });
/** Of dropped months only the sums are there. */
const sealedAudit: Audit = (client) => auditSealed(client);

async function expectClean(owner: pg.Client, ...audits: readonly Audit[]): Promise<void> {
  await countAll(owner);
  for (const audit of audits) {
    const { checks } = await audit(owner);
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  }
}

test("a database of release 0.1.0 becomes what a new one is, with all its rows", async () => {
  const release = await openReleaseBefore();
  const owner = await ownerOf(release);
  const before = await contentsOf(owner, "before");
  expect([before.requests.length, before.journal.length]).toEqual([501, 494]);
  const filled = Object.values(before.tables).filter((rows) => !rows.startsWith("0 "));
  expect(filled.length).toBe(38);
  await expect(applyMigrations(release.url, root)).rejects.toThrow("DATABASE_OWNER_URL");
  // The second one waits for the first.
  const upgrades = await Promise.all([release.upgrade(), release.upgrade()]);
  expect(upgrades.sort((one, other) => one.length - other.length)).toEqual([
    [],
    migrationNames(root),
  ]);
  expect(await applyMigrations(release.url, root)).toEqual([]);
  expect(await contentsOf(owner, "now")).toEqual(before);
  await expectNewSchema(owner);
  await expectClean(owner, auditLedger, fullAudit);
});

/** Outside of these the database is of one release or the other. */
const within: readonly (readonly [name: string, point: KillPoint])[] = [
  ["as it adds to the sums", { at: [/usage_count_earlier/], arrives: true }],
  [
    "in the middle of a month",
    { at: [/into request_2026_06/, /into request_2026_06/], arrives: false },
  ],
  ["as it commits a piece", { at: [/into request_2026_06/, /commit/], arrives: true }],
  ["at the end of a month", { at: [/partition request_2026_08/, /commit/], arrives: false }],
  ["before open requests", { at: [/into open_request/], arrives: false }],
  ["as it compares", { at: [/from ledger_piece/], arrives: true }],
  ["in its end", { at: [/drop table open_operation/, /create view/], arrives: false }],
];
const points: typeof within = [
  ["before its first commit", { at: [/create table open_request/], arrives: false }],
  ...within,
  ["after its end", { at: [/drop table open_operation/, /commit/], arrives: true }],
  ["before the functions", { at: [/create or replace function/], arrives: false }],
];

/** What a process of that release cannot do any more. */
async function expectStopped(owner: pg.Client): Promise<void> {
  for (const statement of [
    "insert into node (id, store_id, lease_until) values ('late', 'late', now())",
    "select ledger_credit('acct_history_1', 'grant', 'late', 1, 'late', 'late')",
    "update video_task set lease_owner = null",
  ])
    await expect(owner.query(statement)).rejects.toThrow(STOPPED);
}

test("killed at every step it goes on, and no request, charge or sum is lost or doubled", async () => {
  const release = await openHistoryBefore();
  const owner = await ownerOf(release);
  const spoolFolder = newSpoolFolder();
  await owner.query("update node set store_id = $1", [storeId(spoolFolder)]);
  const { rows: open } = await owner.query<{ id: string; account: string }>(
    `select operation_id as id, account_id as account from open_operation
      where node_id is not null order by 1`,
  );
  expect(open).toHaveLength(4);
  const before = await contentsOf(owner, "before");

  const killed = await openKilledUpgrade(release.ownerUrl, PIECE);
  // `npm test` kills at every second point.
  for (const each of points) {
    const [name, point] = each;
    await killed.run(point).catch((error: unknown) => {
      throw new Error(`${name}: ${error}`);
    });
    if (within.includes(each)) await expectStopped(owner);
  }
  await killed.stop();
  await release.upgrade();
  expect(await contentsOf(owner, "now")).toEqual(before);
  await expectNewSchema(owner);
  await expectClean(owner, sealedAudit);

  // What the process of before had in its spool is charged once, the rest of its work released.
  const [first] = open;
  const end = { ...first, settled: true, amount: 13_800, input: 1, output: 3, usage: {} };
  openSpool(spoolFolder, "node_history").append([JSON.stringify(end)]);
  for (let n = 0; n < 2; n++) {
    const ledger = await openTestLedger(release.url, { spoolFolder });
    await ledger.sweep();
    await ledger.close();
  }
  const { rows: ends } = await owner.query<{ end: string }>(
    "select outcome || ' ' || amount as end from request where id = any($1) order by id",
    [open.map(({ id }) => id)],
  );
  expect(ends.map((row) => row.end)).toEqual([
    "settled 13800",
    "released 0",
    "released 0",
    "released 0",
  ]);
  await expectClean(owner, sealedAudit);
}, 300_000);

test("where the copy differs the database is of release 0.1.0 again, and the next upgrade is whole", async () => {
  const release = await openHistoryBefore();
  const owner = await ownerOf(release);
  const before = await contentsOf(owner, "before");
  const schema = await schemaLines(owner);
  const killed = await openKilledUpgrade(release.ownerUrl, PIECE);
  await killed.run({ at: [/into open_request/], arrives: false });
  await killed.stop();
  await owner.query(
    `update request set amount = amount - 1 where id = (select id from request
      where amount > 0 and ended_at < '2026-07-01' order by id desc limit 1)`,
  );
  await expect(release.upgrade()).rejects.toThrow(
    /0\.1\.0 can be started again: request_2026_06 has (\d+) rows, \d+ as before, not \1; piece \d+ has another hash.*; account acct_history_\d was charged/,
  );
  expect(await schemaLines(owner)).toEqual(schema);
  // The sums of hours were finished.
  expect(await contentsOf(owner, "before")).toEqual(before);
  await owner.query(
    "select ledger_credit('acct_history_1', 'grant', 'on', 1, 'it goes on', 'test')",
  );
  await release.upgrade({ piece: PIECE });
  const { wallets } = await contentsOf(owner, "now");
  expect(wallets).toHaveLength(before.wallets.length);
  await expectNewSchema(owner);
});

test("a process of release 0.1.0 that runs is named, and nothing is changed", async () => {
  const release = await openReleaseBefore();
  const owner = await ownerOf(release);
  const schema = await schemaLines(owner);
  const lease = "update node set lease_until = clock_timestamp() + interval '15 s'";
  await owner.query(lease);
  const renewal = setInterval(() => void owner.query(lease), 100);
  await expect(release.upgrade())
    .rejects.toThrow("The process node_history of release 0.1.0 still runs")
    .finally(() => clearInterval(renewal));
  expect(await schemaLines(owner)).toEqual(schema);
});

test("a database of an earlier release is refused with the name of the one that it needs first, and stays", async () => {
  const release = await openReleaseBefore();
  const owner = await ownerOf(release);
  await owner.query(
    "delete from _prisma_migrations where migration_name = '20261201000000_released_hours'",
  );
  const before = await schemaLines(owner);
  await expect(release.upgrade()).rejects.toThrow("start release 0.1.0 with it once");
  expect(await schemaLines(owner)).toEqual(before);
});

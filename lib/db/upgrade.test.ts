/** The way from release 0.1.0. */
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReleaseBefore, type ReleaseBefore } from "@/testing/db/release-before";
import { schemaLines } from "@/testing/db/schema-lines";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { auditLedger } from "../ledger/audit";
import { auditSealed } from "../ledger/audit-sealed";
import { countAll } from "../ledger/usage-counter";
import { applyMigrations, migrationNames } from "./migrate";

const root = join(import.meta.dirname, "../..");

let release: ReleaseBefore;
let owner: pg.Client;
beforeAll(async () => {
  release = await openReleaseBefore();
  owner = await connect(release.ownerUrl);
});
afterAll(() => owner.end());

/** What goes with points leases. */
const gone = "{leased,leases_from,is_whole}";

/** Of each table: how many rows, and what they are together. */
async function rowsOfTables(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname not in ('_prisma_migrations', 'function_set', 'points_lease') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const all = await owner.query<{ sum: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum
         from (select to_jsonb(t) - $1::text[] as t from ${name} t) t`,
      [gone],
    );
    found[name] = all.rows[0]?.sum ?? "";
  }
  return found;
}

/** As pg_dump and a load did with those of the release: `between` is two conditions of a longer list. */
const reloadChecks = `do $$ declare c record; begin
  for c in select conrelid::regclass as name, conname, pg_get_constraintdef(k.oid) as text
             from pg_constraint k join pg_class r on r.oid = conrelid
            where contype = 'c' and connamespace = 'public'::regnamespace and not relispartition loop
    execute format('alter table %s drop constraint %I, add constraint %I %s', c.name, c.conname, c.conname, c.text);
  end loop; end $$`;

test("a database of release 0.1.0 becomes what a new one is, with all its rows, and its holds end", async () => {
  const before = await rowsOfTables();
  expect(Object.keys(before).filter((name) => !before[name]?.startsWith("0 ")).length).toBe(48);
  await expect(applyMigrations(release.url, root)).rejects.toThrow("DATABASE_OWNER_URL");
  expect(await release.upgrade()).toEqual(migrationNames(root));
  expect(await release.upgrade()).toEqual([]);
  expect(await applyMigrations(release.url, root)).toEqual([]);
  expect(await rowsOfTables()).toEqual(before);
  const { rows } = await owner.query<{ name: string }>(
    "select migration_name as name from _prisma_migrations order by 1",
  );
  expect(rows.map(({ name }) => name)).toEqual(migrationNames(root));

  const fresh = await connect(ownerUrlOf(await createTestDatabase()));
  await fresh.query(reloadChecks);
  expect(await schemaLines(owner)).toEqual(await schemaLines(fresh));
  await fresh.end();

  const open = await owner.query<{ id: string; account: string }>(
    "select operation_id as id, account_id as account from open_operation where node_id is not null order by 1",
  );
  expect(open.rows).toHaveLength(4);
  const ends = open.rows.map((end, i) => ({ i, ...end, settled: false, amount: 0, reason: "t" }));
  const answer = await owner.query<{ answer: string }>(
    "select ledger_apply('x', $1, $2, null) as answer",
    [open.rows.map(({ account }) => account), JSON.stringify(ends)],
  );
  expect(answer.rows).toEqual([{ answer: "d0,d0,d0,d0;" }]);
  await countAll(owner);
  const checks = [
    ...(await auditLedger(owner)).checks,
    ...(await auditSealed(owner, { isFull: true })).checks,
  ];
  expect(checks.length).toBeGreaterThan(20);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});

test("a database of an earlier release is refused with the name of the one that it needs first, and stays", async () => {
  const earlier = await openReleaseBefore();
  const client = await connect(earlier.ownerUrl);
  await client.query(
    "delete from _prisma_migrations where migration_name = '20261201000000_released_hours'",
  );
  const before = await schemaLines(client);
  await expect(earlier.upgrade()).rejects.toThrow("start release 0.1.0 with it once");
  expect(await schemaLines(client)).toEqual(before);
  await client.end();
});

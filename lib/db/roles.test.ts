import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { callableFunctions, tableGrants } from "./grants";

const url = await createTestDatabase();
const product = await opened(new pg.Client({ connectionString: url }));
const owner = await opened(new pg.Client({ connectionString: ownerUrlOf(url) }));
await Promise.all([product.connect(), owner.connect()]);

const codeOf = (client: pg.Client, sql: string) =>
  client.query(sql).then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const names = async (sql: string) =>
  (await owner.query<{ name: string }>(sql)).rows.map(({ name }) => name);
const tablesQuery =
  "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition order by 1";

test("every table and view of the database is in the list of rights", async () => {
  expect(await names(tablesQuery)).toEqual([...tableGrants.keys()].sort());
});

test("the product's role has the listed rights and no other, and owns nothing", async () => {
  for (const name of await names(tablesQuery)) {
    const rights = ["DELETE", "INSERT", "REFERENCES", "SELECT", "TRIGGER", "TRUNCATE", "UPDATE"];
    const { rows } = await product.query<{ right: string }>(
      `select "right" from unnest($1::text[]) "right"
        where case when "right" in ('INSERT', 'UPDATE') then has_any_column_privilege($2, "right") else has_table_privilege($2, "right") end`,
      [rights, `public."${name}"`],
    );
    expect([name, rows.map(({ right }) => right)]).toEqual([name, tableGrants.get(name)]);
  }
  const { rows } = await product.query(
    `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
       (select count(*)::int from pg_class where relowner = r.oid) + (select count(*)::int from pg_proc where proowner = r.oid)
         + (select count(*)::int from pg_namespace where nspowner = r.oid) + (select count(*)::int from pg_auth_members where member = r.oid) as owned
       from pg_roles r where rolname = current_user`,
  );
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolreplication: false,
      rolbypassrls: false,
      owned: 0,
    },
  ]);
});

/** Triggers on tables of the product that write what it may not. */
const triggersOfOwner = [
  ...["callback_due", "invoice_numbered", "member_budget_ends", "operator_action_chained"],
  ...["playground_operation_kept", "referral_forget", "referral_paid"],
];

test("the functions that write points run with their owner's rights, with a fixed search path, and only for the product's role", async () => {
  const { rows } = await owner.query<{ name: string; path: string; isPublic: boolean }>(
    `select proname as name, (select string_agg(set, ';') from unnest(proconfig) set where set like 'search_path=%') as path,
       exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0) as "isPublic"
       from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
  );
  const path = "search_path=pg_catalog, public, pg_temp";
  expect(rows).toEqual(
    [...callableFunctions, ...triggersOfOwner]
      .sort()
      .map((name) => ({ name, path, isPublic: false })),
  );
  const callable = await names(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
        and has_function_privilege('${new URL(url).username}', oid, 'execute') order by 1`,
  );
  expect(callable).toEqual([...callableFunctions].sort());
  for (const call of [
    "ledger_note_loss(null, 1, null, null, null)",
    "ledger_reverse('', '', 0, 0, '')",
  ]) {
    expect(await codeOf(product, `select ${call}`), call).toBe("42501");
  }
});

const DENIED = "42501";
const definitions = [
  "create table own (id text)",
  "create temporary table own (id text)",
  "create view own as select 1",
  "create schema own",
  "create function own() returns int language sql as 'select 1'",
  "create role own",
  "create database own",
  "alter table wallet disable trigger all",
  "alter table wallet drop constraint wallet_available_not_negative",
  "alter table operator_action disable trigger append_only",
  "alter function ledger_hold security invoker",
  "drop table request",
  "drop trigger request_append_only on request",
  "drop function ledger_refuse cascade",
  "drop schema public cascade",
  "create trigger own before insert on account for each row execute function ledger_refuse()",
  "set role relay",
  "set session_replication_role = replica",
  "copy (select 1) to program 'true'",
  "update function_set set functions = '{}'",
  "insert into _prisma_migrations (id, checksum, migration_name) values ('1', '1', '1')",
  "update operator_action set actor = 'nobody'",
  "delete from operator_action",
  "update operator_action_head set seq = 0",
];
test.each(definitions)("the product's role may not: %s", async (sql) => {
  expect(await codeOf(product, sql)).toBe(DENIED);
});

// Views that cannot be written through.
const views = ["ledger_journal", "point_lot_now", "request_known", "usage_of_day", "usage_row"];
const books = [...tableGrants].flatMap(([name, rights]) =>
  rights.join() === "SELECT" && !views.includes(name) ? [name] : [],
);
test.each(books)("the product's role cannot write or empty %s, nor lock its rows", async (name) => {
  const { rows } = await owner.query<{ column: string }>(
    "select quote_ident(attname) as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and attidentity = '' order by attnum limit 1",
    [name],
  );
  const column = rows[0]?.column;
  for (const sql of [
    `insert into ${name} default values`,
    `update ${name} set ${column} = ${column}`,
    `delete from ${name}`,
    `truncate ${name}`,
    `select from ${name} for update`,
    `do $$ begin lock table ${name} in exclusive mode; end $$`,
  ]) {
    expect([sql, await codeOf(product, sql)]).toEqual([sql, DENIED]);
  }
  expect(await codeOf(product, `select from ${name} limit 1`)).toBe("done");
});

test("rights that the database gives on every new table are taken from new partitions", async () => {
  await owner.query("begin; alter default privileges grant all on tables to public, relay_app");
  await owner.query("select ledger_partitions_ahead(6)");
  const { rows } = await owner.query(
    `select c.relname, a.privilege_type from ledger_partitions() p join pg_class c on c.relname = p.name,
       aclexplode(c.relacl) a where a.grantee <> c.relowner`,
  );
  await owner.query("rollback");
  expect(rows).toEqual([]);
});

test("points change through the ledger's functions when the product's role calls them", async () => {
  await product.query("insert into account (id) values ('acct_a')");
  await product.query("select ledger_open_wallet('acct_a')");
  const credited = await product.query(
    "select ledger_credit('acct_a', 'grant', 'r', 5, 'test', 'test') as answer",
  );
  expect(credited.rows[0].answer).toMatch(/^d\d+:5$/);
  expect((await product.query("select credits_posted from wallet")).rows).toEqual([
    { credits_posted: "5" },
  ]);
});

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";
import { APPLICATION_ROLE } from "./embedded";
import { readFunctions } from "./function-files";
import { applyMigrations, migrationNames } from "./migrate";

const root = join(import.meta.dirname, "../..");

/** A project with the migrations of this one, and its functions in a folder that a test changes. */
const project = newFolder("functions");
const folder = join(project, "lib/all/sql");
const files = readFunctions(root);
const file = (name: string) => join(folder, `${name}.sql`);
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  for (const name of ["prisma", "package.json"]) symlinkSync(join(root, name), join(project, name));
  for (const { name, definition, triggers } of files)
    writeFileSync(file(name), `${definition}${triggers}`);
});
const url = await createTestDatabase();
const owner = await opened(connect(ownerUrlOf(url)));

const rowsOf = async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
  (await owner.query<Row>(sql, values)).rows;

test("every function of a migrated database is the one of its file, and there is no other", async () => {
  const all = () =>
    rowsOf<{ name: string; text: string; source: string }>(
      `select proname as name, prosrc as source, case prokind when 'a' then '' else pg_get_functiondef(oid) end as text
         from pg_proc where pronamespace = 'public'::regnamespace order by proname collate "C"`,
    );
  const functions = await all();
  expect(functions.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
  for (const [at, { definition }] of files.entries()) {
    const { name = "", source = "" } = functions[at] ?? {};
    if (functions[at]?.text) expect(definition, name).toContain(`$$${source}$$;\n`);
  }
  await owner.query("begin");
  for (const { definition } of files) await owner.query(definition);
  expect(await all()).toEqual(functions);
  await owner.query("rollback");
});

const answerOf = async (call: string) =>
  (await rowsOf<{ answer: string }>(`select ${call} as answer`))[0]?.answer;
const start = (isBack = false) =>
  applyMigrations(ownerUrlOf(url), project, { applicationRole: APPLICATION_ROLE, isBack });
const versions = async () =>
  new Map(
    (
      await rowsOf<{ name: string; version: string }>(
        `select proname as name, oid || ' ' || xmin as version from pg_proc where pronamespace = 'public'::regnamespace
         union all select tgname || ' on ' || tgrelid::regclass, oid || ' ' || xmin from pg_trigger where not tgisinternal`,
      )
    ).map(({ name, version }) => [name, version]),
  );

const definition = (answer: string, args = "") =>
  `create or replace function example(${args}) returns ${answer} language sql as $$\n  select 1\n$$;\n`;

test("a start replaces what changed and nothing else, and takes what has no file out", async () => {
  await start();
  const before = await versions();
  const trigger = (name: string) =>
    `create or replace trigger ${name} before truncate on notice\n  for each statement execute function example_refuse();\n`;
  const refuse = `create or replace function example_refuse() returns trigger language plpgsql as $$\nbegin\n  return null;\nend\n$$;\n`;
  writeFileSync(file("example"), definition("integer"));
  writeFileSync(file("example_refuse"), `${refuse}\n${trigger("one")}${trigger("other")}`);
  await start();
  const made = await versions();
  const news = ["example", "example_refuse", "one on notice", "other on notice"];
  expect(
    [...made].filter(([name, version]) => before.get(name) !== version).map(([name]) => name),
  ).toEqual(news);

  // Another answer, then other arguments: the one before is gone.
  for (const text of [definition("bigint"), definition("bigint", "a integer")]) {
    writeFileSync(file("example"), text);
    await start();
    expect(await rowsOf("select from pg_proc where proname = 'example'")).toHaveLength(1);
  }
  expect(await answerOf("example(1)")).toBe("1");
  // Only the triggers change, then only the function.
  writeFileSync(file("example_refuse"), `${refuse}\n${trigger("other")}`);
  await start();
  expect([...(await versions()).keys()]).not.toContain("one on notice");
  const kept = (await versions()).get("other on notice");
  writeFileSync(file("example_refuse"), `-- Nothing.\n${refuse}\n${trigger("other")}`);
  await start();
  expect((await versions()).get("other on notice")).toBe(kept);

  for (const name of ["example", "example_refuse"]) rmSync(file(name));
  await start(true);
  expect(await versions()).toEqual(before);
});

const rights = () =>
  rowsOf(
    `select proname as name, coalesce(proacl::text, '') as rights from pg_proc where pronamespace = 'public'::regnamespace
     union all select relname, coalesce(relacl::text, '') from pg_class where relnamespace = 'public'::regnamespace order by 1, 2`,
  );
const set = () => rowsOf("select functions from function_set order by id desc limit 1");

test("a release that is older than the database's functions changes nothing, unless a person goes back to it", async () => {
  const older = await set();
  writeFileSync(file("example"), definition("bigint"));
  await start();
  const newer = await set();
  await owner.query("grant execute on function example() to relay_app");
  const before = [await versions(), await rights()];
  rmSync(file("example"));
  expect(await start()).toEqual([]);
  expect(await set()).toEqual(newer);
  expect([await versions(), await rights()]).toEqual(before);
  await start(true);
  expect(await set()).toEqual(older);
  expect(await rowsOf("select from pg_proc where proname = 'example'")).toEqual([]);
});

/** A database that a newer release has made, in which this one never was. */
const newerStates: readonly [string, string][] = [
  ["a function", 'update function_set set functions = functions || \'{"later": ["a", "b"]}\''],
  [
    "a version",
    'update function_set set functions = functions || \'{"account_erase": ["a", "b"]}\', release = \'99.0.0\'',
  ],
  [
    "a migration",
    "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '20990101000000_later', now())",
  ],
];
test.each(newerStates)(
  "a release that finds %s that it does not know changes nothing and says so, with the rights of the tables' owner",
  async (_, sql) => {
    await start(true);
    await owner.query("create function later() returns integer language sql as 'select 1'");
    await owner.query(
      "grant execute on function later() to relay_app; grant delete on wallet to relay_app",
    );
    const sets = await rowsOf("select * from function_set");
    await owner.query(sql);
    const before = [await versions(), await rights(), await rowsOf("select * from function_set")];
    writeFileSync(file("example"), definition("bigint"));
    let told = 0;
    const asOlder = { applicationRole: APPLICATION_ROLE, onNewer: () => void told++ };
    expect(await applyMigrations(ownerUrlOf(url), project, asOlder)).toEqual([]);
    expect(await applyMigrations(url, project, asOlder)).toEqual([]);
    expect(told).toBe(2);
    expect([await versions(), await rights(), await rowsOf("select * from function_set")]).toEqual(
      before,
    );

    // One that has a migration of its own cannot work with it.
    await owner.query(
      "delete from _prisma_migrations where migration_name = (select max(migration_name) from _prisma_migrations where id <> 'x')",
    );
    await expect(start()).rejects.toThrow("lacks 1 migrations of this one. Nothing was changed.");
    rmSync(file("example"));
    await owner.query("drop function later(); delete from _prisma_migrations where id = 'x'");
    await owner.query("truncate function_set");
    for (const { functions } of sets)
      await owner.query("insert into function_set (functions) values ($1)", [
        JSON.stringify(functions),
      ]);
    const last = migrationNames(root).at(-1) ?? "";
    const sqlOf = readFileSync(join(root, "prisma/migrations", last, "migration.sql"), "utf8");
    await owner.query(
      "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('l', $1, $2, now())",
      [createHash("sha256").update(sqlOf).digest("hex"), last],
    );
    await start(true);
  },
);

test("while a request holds a table, its triggers wait a second at a time, and are there when it is over", async () => {
  await start(true);
  const request = await connect(ownerUrlOf(url));
  await request.query("begin; lock table notice in row exclusive mode");
  writeFileSync(
    file("example_refuse"),
    `create or replace function example_refuse() returns trigger language plpgsql as $$\nbegin\n  return null;\nend\n$$;
create or replace trigger waits before truncate on notice\n  for each statement execute function example_refuse();\n`,
  );
  const started = start();
  const waiting = async () =>
    (
      await rowsOf<{ n: number }>(
        "select count(*)::int as n from pg_locks where not granted and relation = 'notice'::regclass",
      )
    )[0]?.n;
  for (const n of [1, 0, 1]) await expect.poll(waiting, { interval: 20, timeout: 30_000 }).toBe(n);
  await request.query("commit");
  await request.end();
  await started;
  expect([...(await versions()).keys()]).toContain("waits on notice");
  rmSync(file("example_refuse"));
  await start(true);
}, 90_000);

test("a role that owns nothing is let through when all functions are of this release, and refused when not", async () => {
  const asProduct = () => applyMigrations(url, project);
  await start(true);
  expect(await asProduct()).toEqual([]);
  writeFileSync(file("example"), definition("integer"));
  await expect(asProduct()).rejects.toThrow("DATABASE_OWNER_URL");
  await start();
  expect(await asProduct()).toEqual([]);
});

test("a function that the database refuses is named, and none is replaced", async () => {
  const before = await versions();
  writeFileSync(file("account_erase"), `-- Other.\n${files[1]?.definition}`);
  writeFileSync(file("example"), definition("nothing"));
  await expect(start()).rejects.toThrow(/^The function example failed: .*nothing/);
  expect(await versions()).toEqual(before);
});

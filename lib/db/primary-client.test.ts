import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { productIn } from "@/server/sources.mjs";
import { overTcp } from "@/testing/db/run-server";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { openPool } from "./pool";
import { PrimaryClient } from "./primary-client";

const root = join(import.meta.dirname, "../..");

test("each connection of the product refuses a server that takes no writes: no other code connects", () => {
  const sources = productIn(root, ["app", "lib", "server", "cli"]);
  const others = sources
    .filter(({ text }) => /new pg\.Client\b|\bclient: pg\.Client\(/.test(text))
    .map(({ path }) => path);
  // The embedded server is this machine's own, and another relay's database is only read.
  expect(others.sort()).toEqual(["lib/db/embedded.ts", "lib/import/sources/postgres.ts"]);
  const pools = sources.filter(({ text }) => /new pg\.Pool\(/.test(text));
  expect(pools.length).toBeGreaterThan(2);
  for (const { path, text } of pools) expect(text, path).toContain("Client: CheckedClient");
});

test("the bounds on time are set after connecting, where a pooler refuses them before", async () => {
  const pool = openPool(await createTestDatabase(), 1, 1234);
  onTestFinished(() => pool.end());
  expect((await pool.query("show statement_timeout")).rows).toEqual([
    { statement_timeout: "1234ms" },
  ]);
  const [client] = [new PrimaryClient({ connectionString: "postgresql://a/b?lock_timeout=5" })];
  const { connectionParameters } = client as unknown as { connectionParameters: object };
  expect(connectionParameters).toMatchObject({ lock_timeout: false });
});

test("a role whose transactions are read-only by default is refused", async () => {
  const url = await createTestDatabase();
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(url) });
  await owner.connect();
  onTestFinished(() => owner.end());
  const name = new URL(url).pathname.slice(1);
  await owner.query(
    `alter role relay_app in database ${name} set default_transaction_read_only = on`,
  );
  await expect(new PrimaryClient({ connectionString: overTcp(url) }).connect()).rejects.toThrow(
    /^the server at 127\.0\.0\.1:\d+ is read-only$/,
  );
});

const set: Readonly<Record<string, string>> = {
  search_path: "pg_temp, pg_catalog",
  TimeZone: "Asia/Kathmandu",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  bytea_output: "escape",
  extra_float_digits: "-15",
  standard_conforming_strings: "off",
  transform_null_equals: "on",
  array_nulls: "off",
  quote_all_identifiers: "on",
  default_transaction_isolation: "serializable",
  default_transaction_deferrable: "on",
  statement_timeout: "50s",
  lock_timeout: "50s",
  idle_in_transaction_session_timeout: "50s",
  idle_session_timeout: "50s",
  // Of servers from 17 on.
  transaction_timeout: "50s",
  synchronous_commit: "off",
};

test("what a role or a database has set changes no meaning, no form and no bound", async () => {
  const url = await createTestDatabase();
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(url) });
  await owner.connect();
  onTestFinished(() => owner.end());
  const ask = async () => {
    const client = new PrimaryClient({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query(
        `select (select jsonb_object_agg(name, setting) from pg_settings where name = any($1)) as settings,
           '2026-03-04 05:06:07+00'::timestamptz as at, '2026-03-04 05:06:07+00'::timestamptz::date::text as day,
           interval '1 day 2 hours' as span, 0.1::float8 + 0.2 as number, '\\x5c00'::bytea as bytes,
           'a\n' as text, array_length('{a,NULL}'::text[], 1) as length, null = null as same,
           'wallet'::regclass::text as name`,
        [Object.keys(set)],
      );
      return rows;
    } finally {
      await client.end();
    }
  };
  const before = await ask();
  const database = new URL(url).pathname.slice(1);
  for (const [name, value] of Object.entries(set)) {
    const to = name === "search_path" ? value : `'${value}'`;
    await owner.query(`alter role relay_app in database ${database} set ${name} = ${to}`);
  }
  expect(await ask()).toEqual(before);
});

test("a role for which triggers do not run is refused", async () => {
  const url = await createTestDatabase();
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(url) });
  await owner.connect();
  onTestFinished(() => owner.end());
  const database = new URL(url).pathname.slice(1);
  await owner.query(
    `alter role relay_app in database ${database} set session_replication_role = replica`,
  );
  await expect(new PrimaryClient({ connectionString: url }).connect()).rejects.toThrow(
    "has another session_replication_role for this role than origin",
  );
});

test("a database whose name needs encoding in an address is the one that is asked", async () => {
  const owner = new PrimaryClient({ connectionString: ownerUrlOf(await createTestDatabase()) });
  await owner.connect();
  onTestFinished(() => owner.end());
  const name = "a/b?c#d@e %f";
  const url = new URL(ownerUrlOf(await createTestDatabase()));
  await owner.query(`create database "${name}"`);
  url.pathname = `/${encodeURIComponent(name)}`;
  const client = new PrimaryClient({ connectionString: url.href });
  try {
    await client.connect();
    expect((await client.query("select current_database() as name")).rows).toEqual([{ name }]);
  } finally {
    await client.end();
    await owner.query(`drop database "${name}"`);
  }
});

test("one that is dropped while it looks for the server that takes writes is given up, and ends no process", async () => {
  const url = overTcp(await createTestDatabase());
  const client = new PrimaryClient({
    connectionString: url.replace(/@([^/]+)/, "@$1,$1"),
  });
  const opening = client.connect();
  client.drop("it is closing");
  await expect(opening).rejects.toThrow("Connection terminated: it is closing");
});

test("all connections to a server that has become read-only are dropped, also those of another copy of this module", async () => {
  const connectionString = await createTestDatabase();
  const path = join(import.meta.dirname, "primary-client.ts?copy");
  const copy: typeof import("./primary-client") = await import(path);
  expect(copy.PrimaryClient).not.toBe(PrimaryClient);
  const own = new PrimaryClient({ connectionString });
  const all = [new copy.PrimaryClient({ connectionString }), own];
  const ended = Promise.all(all.map((each) => new Promise((resolve) => each.once("end", resolve))));
  await Promise.all(all.map((each) => each.connect()));
  await expect(own.query("begin read only; create table x ()")).rejects.toThrow("read-only");
  await ended;
});

test("an attempt that its address took and never answers is given up once a later one is answered", async () => {
  const address = await DatabaseProxy.start(await createTestDatabase());
  onTestFinished(() => address.stop());
  address.isFrozen = true;
  const options = { connectionString: address.url, connectionTimeoutMillis: 600_000 };
  const attempts = [1, 2].map(() => new PrimaryClient(options).connect());
  await expect.poll(() => address.dropped).toBeGreaterThanOrEqual(2);
  // What comes from now on is passed on; what came before was lost.
  address.isFrozen = false;
  for (const attempt of attempts)
    await expect(attempt).rejects.toThrow("a later connection was answered");
}, 60_000);

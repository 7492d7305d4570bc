import { createServer } from "node:net";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { listen } from "@/testing/stage/listen";
import { connectDatabase } from "./client";
import { isOutage } from "./database-errors";
import { openPool } from "./pool";

const reasonOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const endings: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of endings) await end();
});

test("an unreachable or silent database is an outage for both drivers", async () => {
  const silent = await listen(createServer(() => {}));
  endings.push(silent.close);
  const silentUrl = `postgresql://127.0.0.1:${silent.port}/none`;
  for (const url of ["postgresql://127.0.0.1:1/none", silentUrl]) {
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 200 });
    expect(isOutage(await reasonOf(pool.query("select 1")))).toBe(true);
    await pool.end();
  }
  const database = connectDatabase("postgresql://127.0.0.1:1/none", 1);
  expect(isOutage(await reasonOf(database.account.count()))).toBe(true);
});

test("a connection that ends during a statement is an outage, a refused statement is not", async () => {
  const pool = openPool(await createTestDatabase(), 2);
  endings.push(() => pool.end());
  const cut = reasonOf(pool.query("select pg_terminate_backend(pg_backend_pid())"));
  expect(isOutage(await cut)).toBe(true);
  expect(isOutage(await reasonOf(pool.query("select pg_sleep(5)")))).toBe(true);
  expect(
    isOutage(await reasonOf(pool.query("insert into wallet (account_id) values ('nobody')"))),
  ).toBe(false);
  expect(isOutage(await reasonOf(pool.query("select none")))).toBe(false);
  expect(isOutage(new TypeError("none"))).toBe(false);
});

test("a server without room, memory or connections, and a pooler without a server, are outages for both drivers", async () => {
  const url = await createTestDatabase();
  const [pool, database] = [openPool(url, 1), connectDatabase(url, 1)];
  endings.push(
    () => pool.end(),
    () => database.$disconnect(),
  );
  const raise = (code: string) =>
    `do $$ begin raise exception 'it lacks something' using errcode = '${code}'; end $$`;
  for (const code of ["53100", "53200", "53300", "53400", "58030", "08P01", "08006"])
    for (const error of [
      await reasonOf(pool.query(raise(code))),
      await reasonOf(database.$executeRawUnsafe(raise(code))),
    ])
      expect([code, String(error), isOutage(error)]).toEqual([code, expect.any(String), true]);
  for (const error of [
    await reasonOf(pool.query(raise("23514"))),
    await reasonOf(database.$executeRawUnsafe(raise("22023"))),
  ])
    expect(isOutage(error)).toBe(false);
});

/** The migration to groups of accounts: processes of the release before go on reading and writing. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";

const name = "20261124007000_account_group";
let pool: pg.Pool;
let before: Awaited<ReturnType<typeof databaseBefore>>;

beforeAll(async () => {
  before = await databaseBefore(name);
  pool = new pg.Pool({ connectionString: before.url });
});
afterAll(() => pool.end());

const both = async (id: string) =>
  (
    await pool.query<{ earlier: number; own: number | null }>(
      "select multiplier_ppm as earlier, own_multiplier_ppm as own from account where id = $1",
      [id],
    )
  ).rows[0];

test("the multiplier of an account is the same for processes before and after the migration", async () => {
  await pool.query("insert into account (id) values ('acct_list')");
  await pool.query("insert into account (id, multiplier_ppm) values ('acct_own', 850000)");
  await before.migrate("all");
  expect(await both("acct_list")).toEqual({ earlier: 1_000_000, own: null });
  expect(await both("acct_own")).toEqual({ earlier: 850_000, own: 850_000 });

  const earlier = (id: string, ppm: number) =>
    pool.query("update account set multiplier_ppm = $2 where id = $1", [id, ppm]);
  await earlier("acct_list", 900_000);
  expect(await both("acct_list")).toEqual({ earlier: 900_000, own: 900_000 });
  await earlier("acct_list", 1_000_000);
  expect(await both("acct_list")).toEqual({ earlier: 1_000_000, own: null });
  await pool.query("insert into account (id, multiplier_ppm) values ('acct_new', 700000)");
  expect(await both("acct_new")).toEqual({ earlier: 700_000, own: 700_000 });

  const later = (id: string, ppm: number | null) =>
    pool.query("update account set own_multiplier_ppm = $2 where id = $1", [id, ppm]);
  await later("acct_own", 1_000_000);
  expect(await both("acct_own")).toEqual({ earlier: 1_000_000, own: 1_000_000 });
  await later("acct_own", 300_000);
  expect(await both("acct_own")).toEqual({ earlier: 300_000, own: 300_000 });
  await later("acct_own", null);
  expect(await both("acct_own")).toEqual({ earlier: 1_000_000, own: null });
  await expect(later("acct_own", 0)).rejects.toThrow(/account_own_multiplier_ppm|check/);
});

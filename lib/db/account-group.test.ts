/** The migration to groups of accounts: processes of the release before go on reading and writing. */
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { APPLICATION_ROLE } from "./embedded";
import { applyMigrations } from "./migrate";

const folder = join(import.meta.dirname, "../../prisma/migrations");
const name = "20261124007000_account_group";
let pool: pg.Pool;
let url: URL;

const migrate = (isWanted: (each: string) => boolean) =>
  applyMigrations(url.href, folder, { applicationRole: APPLICATION_ROLE, isWanted });

beforeAll(async () => {
  url = new URL(ownerUrlOf(await createTestDatabase()));
  const admin = new pg.Client({ connectionString: url.href });
  const empty = `${url.pathname.slice(1)}_before`;
  await admin.connect();
  await admin.query(`create database ${empty}`);
  await admin.end();
  url.pathname = `/${empty}`;
  await migrate((each) => each < name);
  pool = new pg.Pool({ connectionString: url.href });
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
  await migrate(() => true);
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

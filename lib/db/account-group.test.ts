import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";

const pool = await opened(new pg.Pool({ connectionString: await createTestDatabase() }));

const both = async (id: string) =>
  (
    await pool.query<{ earlier: number; own: number | null }>(
      "select multiplier_ppm as earlier, own_multiplier_ppm as own from account where id = $1",
      [id],
    )
  ).rows[0];

test("both columns of an account's multiplier follow each other, whichever is written", async () => {
  await pool.query("insert into account (id) values ('acct_list')");
  await pool.query("insert into account (id, multiplier_ppm) values ('acct_own', 850000)");
  expect(await both("acct_list")).toEqual({ earlier: 1_000_000, own: null });
  expect(await both("acct_own")).toEqual({ earlier: 850_000, own: 850_000 });

  const earlier = (id: string, ppm: number) =>
    pool.query("update account set multiplier_ppm = $2 where id = $1", [id, ppm]);
  await earlier("acct_list", 900_000);
  expect(await both("acct_list")).toEqual({ earlier: 900_000, own: 900_000 });
  await earlier("acct_list", 1_000_000);
  expect(await both("acct_list")).toEqual({ earlier: 1_000_000, own: null });

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

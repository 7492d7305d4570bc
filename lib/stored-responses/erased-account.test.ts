/** An answer is stored after its charge, so an account can be erased in between. */
import { beforeEach, expect, test } from "vitest";
import { byKey } from "@/testing/accounts/by-key";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { fixedSecrets } from "../crypto/secrets";
import { openPool } from "../db/pool";
import { responseIdOf } from "../dialects/responses/item-ids";
import { createStoredResponses } from "./stored-responses";

let accounts = 0;
let account = "";

const pool = await opened(openPool(await createTestDatabase(), 6));
const stored = createStoredResponses({
  pool,
  secrets: fixedSecrets("s".repeat(32)),
  days: () => 30,
});
beforeEach(async () => {
  account = `acct_${++accounts}`;
  await pool.query("insert into account (id) values ($1)", [account]);
});

function keep(number: number): Promise<boolean> {
  const id = responseIdOf(String(number).padStart(32, "0"));
  const input = [{ role: "user" as const, content: "secret" }];
  return stored.keep(byKey(account), {
    id,
    model: "m",
    previousId: null,
    input,
    output: [],
    response: { id },
  });
}
const rows = async () =>
  (
    await pool.query(
      `select (select count(*) from stored_response where account_id = $1)::int as responses,
              (select count(*) from response_account where account_id = $1)::int as keys`,
      [account],
    )
  ).rows[0];
const waiting = async () =>
  (await pool.query("select count(*)::int as count from pg_locks where not granted")).rows[0].count;

test.each([true, false])(
  "what is stored while its account is erased waits, and is not stored (first of it: %s)",
  async (isFirst) => {
    if (!isFirst) expect(await keep(1)).toBe(true);
    const erasing = await pool.connect();
    await erasing.query("begin");
    expect((await erasing.query("select account_erase($1) as n", [account])).rows[0].n).toBe(0);
    const keeping = keep(2);
    await expect.poll(waiting).toBeGreaterThan(0);
    await erasing.query("commit");
    erasing.release();
    expect(await keeping).toBe(false);
    expect(await rows()).toEqual({ responses: 0, keys: 0 });
  },
);

test("an erasure waits for what is being stored, and removes it", async () => {
  expect(await keep(3)).toBe(true);
  const storing = await pool.connect();
  await storing.query("begin");
  await storing.query("select from account where id = $1 and status <> 'closed' for share", [
    account,
  ]);
  const erasing = pool.query("select account_erase($1)", [account]);
  await expect.poll(waiting).toBeGreaterThan(0);
  await storing.query("commit");
  storing.release();
  await erasing;
  expect(await rows()).toEqual({ responses: 0, keys: 0 });
});

test("nothing is stored for an erased account, nor for one that does not exist", async () => {
  await pool.query("select account_erase($1)", [account]);
  expect(await keep(4)).toBe(false);
  account = "acct_none";
  expect(await keep(5)).toBe(false);
});

/** Whose stored responses leave where an account has too many. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { fixedSecrets } from "../crypto/secrets";
import type { OrderReader } from "../db/order-readers";
import { openPool } from "../db/pool";
import { responseIdOf } from "../dialects/responses/item-ids";
import { createStoredResponses, type NewResponse } from "./stored-responses";

const databaseUrl = await createTestDatabase();
const pool = await opened(openPool(databaseUrl, 4));
const stored = createStoredResponses({
  pool,
  secrets: fixedSecrets("s".repeat(32)),
  days: () => 30,
});

let made = 0;
function saying(text: string): NewResponse {
  const id = responseIdOf(String(++made).padStart(32, "0"));
  return {
    ...{ id, model: "m", previousId: null, input: [], output: [{ role: "user", content: text }] },
    response: { id, object: "response", status: "completed" },
  };
}

const limitTo = async (given: string) => {
  const owner = await connect(databaseUrl);
  await owner.query(`create or replace trigger stored_response_added after insert on stored_response
    for each row execute function stored_response_added(${given})`);
  await owner.end();
};

test.each([
  ["responses", "10, 1000000000"],
  ["bytes", "1000, 20000"],
])("above the most %s, those leave whose member has most, with all keys", async (what, limits) => {
  await pool.query("insert into account (id) values ($1)", [what]);
  const keys = [`${what}-one`, `${what}-two`];
  for (const key of keys)
    await pool.query(
      "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'made', sha256($3), 'hint', 'user_many')",
      [key, what, Buffer.from(key)],
    );
  const few: OrderReader = { accountId: what, apiKeyId: null, userId: "user_few", models: [] };
  const theirs = [saying("first"), saying("second"), saying("third")];
  for (const one of theirs) expect(await stored.keep(few, one)).toBe(true);
  await limitTo(limits);
  for (let at = 0; at < 22; at++)
    await stored.keep(
      { ...few, userId: null, apiKeyId: keys[at % 2] ?? null },
      saying("x".repeat(1500)),
    );
  for (const { id } of theirs) expect(await stored.find(few, id)).not.toBeNull();
  const { rows } = await pool.query("select from stored_response where account_id = $1", [what]);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(25);
});

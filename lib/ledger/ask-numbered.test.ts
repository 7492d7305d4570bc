/** Tests that an answer which came twice is never taken for the next one. */
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { askNumbered } from "./ask-numbered";
import { openLedgerPool } from "./ledger-pool";

test("an answer that comes again instead of the next is refused, and its connection is closed", async () => {
  const proxy = await DatabaseProxy.start(await createTestDatabase());
  const pool = openLedgerPool(proxy.url, 5000, 1);
  const ask = (answer: string) =>
    askNumbered(pool, "select $1::text as answer, $2::int as number", [answer]);
  expect(await ask("first")).toBe("first");
  proxy.repeatsAnswer = (bytes) => (bytes.includes("second") ? "before the next" : null);
  expect(await ask("second")).toBe("second");
  await expect(ask("third")).rejects.toThrow("answered another statement");
  expect(pool.totalCount).toBe(0);
  expect(await ask("fourth")).toBe("fourth");
  await pool.end();
  await proxy.stop();
});

import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect, openTestLedger, seedAccount } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { inDatabaseTransaction } from "../db/transaction";
import { assertHeldLimits, setHeldLimits } from "./held-limits";

const url = await createTestDatabase();
const database = await opened(connectDatabase(url, 2));
const ledger = await opened(openTestLedger(url));

test("every zone that may be named is the same one to the database", async () => {
  const pool = openPool(url, 1);
  const zones = Intl.supportedValuesOf("timeZone");
  expect(zones.length).toBeGreaterThan(400);
  const noon = "select (timestamp '2026-07-01 12:00' at time zone $1) as moment";
  for (const zone of [...zones, "UTC", "Etc/UTC", "Asia/Calcutta", "Etc/GMT+5"]) {
    assertHeldLimits({ budgetZone: zone });
    const { rows } = await pool.query<{ moment: Date }>(noon, [zone]);
    const clock = { timeZone: zone, hour: "2-digit", minute: "2-digit" } as const;
    const local = new Intl.DateTimeFormat("en-GB", clock).format(rows[0]?.moment);
    expect([zone, local]).toEqual([zone, "12:00"]);
  }
  await pool.end();
});

test.each(["IST", "PST", "AET", "+05:30", "XXX+01:02:03", "Mars/Olympus", "", "UTC\0", "../etc"])(
  "%j is not taken for a zone",
  (zone) => {
    expect(() => assertHeldLimits({ budgetZone: zone })).toThrow(/is not a time zone/);
  },
);

test("a zone that only the database does not know is refused by its field", async () => {
  const client = await connect(url);
  const account = await seedAccount(client, ledger, 1n);
  const key = { id: account.apiKeyId, accountId: account.accountId };
  const wanted = { budgetDay: 1n, budgetZone: "Mars/Olympus" };
  await expect(
    inDatabaseTransaction(database, (transaction) =>
      setHeldLimits(ledger, transaction, key, wanted),
    ),
  ).rejects.toMatchObject({ code: "invalid_value", param: "budgetZone" });
  await client.end();
});

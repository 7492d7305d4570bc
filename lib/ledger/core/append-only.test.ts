/** Tests that the database itself refuses every change to the append-only tables. */
import { expect, test } from "vitest";
import { holdOf, openLedgerDatabase, seedAccount, settleOf } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { countAll } from "../usage/usage-counter";

const { client, ledger } = await opened(openLedgerDatabase());
const hold = holdOf(await seedAccount(client, ledger, 1000n), 100n);
await ledger.openHold(hold);
await ledger.settle(settleOf(hold, 40n));
await countAll(client);

const appendOnly = ["request", "ledger_entry", "price_version", "operator_loss", "node_release"];
test.each(appendOnly)("the database refuses update, delete and truncate of %s", async (table) => {
  await client.query(`insert into operator_loss (cause, estimate) values ('usage_missing', 1)`);
  await client.query(
    `insert into node_release (node_id, store_id, actor, operations) values ('n', 's', 'a', 0)`,
  );
  const column = table === "price_version" ? "created_by" : "created_at";
  const violated = [
    `update ${table} set ${column} = ${column}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ];
  for (const sql of violated) await expect(client.query(sql)).rejects.toThrow(/refused by/);
});

const sums = ["usage_day", "usage_hour", "usage_total_hour", "usage_total_day"];
test.each(sums)("a sum in %s never shrinks, and none is removed", async (table) => {
  for (const sql of [
    `update ${table} set amount = amount - 1`,
    `delete from ${table}`,
    `truncate ${table}`,
  ])
    await expect(client.query(sql), sql).rejects.toThrow(/refused by/);
});

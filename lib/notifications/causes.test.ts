/** What is written in the commit of its cause. */
import { expect, test } from "vitest";
import {
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { startPaymentSite } from "@/testing/topup/payment-site";
import { opened } from "@/testing/unit/opened";
import { newId } from "../crypto/ids";

const payments = await opened(startPaymentSite());
const ledger = await opened(openTestLedger(payments.site.databaseUrl));

const query = (text: string, ...values: unknown[]) => payments.site.deps.pool.query(text, values);
const toldOf = async (accountId: string) =>
  (
    await query(
      "select kind, data from notification where account_id = $1 order by created_at",
      accountId,
    )
  ).rows;

test("a payment is told once when its points are there, and once when it failed, however often its events come", async () => {
  const paid = await payments.bought();
  const failed = await payments.open();
  for (let n = 0; n < 3; n++) {
    await payments.send("checkout.session.async_payment_failed", {
      ...failed.session,
      payment_status: "unpaid",
    });
    await query("update payment set checked_at = now() where id = $1", paid.paymentId);
  }
  expect(await toldOf(paid.accountId)).toEqual([
    {
      kind: "payment_paid",
      data: { payment: paid.paymentId, points: "100", amount: 999, currency: "eur" },
    },
  ]);
  expect(await toldOf(failed.accountId)).toMatchObject([{ kind: "payment_failed" }]);
});

test("a paused key is told with its pause, and not if that is rolled back", async () => {
  const client = await payments.site.deps.pool.connect();
  const { accountId, apiKeyId } = await seedAccount(client, ledger, 0n);
  const pause =
    "update api_key set paused_at = now(), paused_spend = 2500000, hourly_spend_max = 1000000 where id = $1";
  await client.query("begin");
  await client.query(pause, [apiKeyId]);
  await client.query("rollback");
  expect(await toldOf(accountId)).toEqual([]);
  await client.query(pause, [apiKeyId]);
  await client.query(pause, [apiKeyId]);
  client.release();
  expect(await toldOf(accountId)).toEqual([
    {
      kind: "key_paused",
      data: { keys: [{ id: apiKeyId, name: "test", spent_points: "2.5", hourly_max_points: "1" }] },
    },
  ]);
});

test("the end of a task is written only where somebody wants to be told", async () => {
  const client = await payments.site.deps.pool.connect();
  const account = await seedAccount(client, ledger, 1_000_000n);
  client.release();
  const end = async () => {
    const hold = holdOf(account, 1000n, { family: "video" });
    const task = taskOf();
    await ledger.openTask(hold, task);
    await ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" });
    return task.taskId;
  };
  await end();
  expect(await toldOf(account.accountId)).toEqual([]);
  await query(
    "insert into webhook_endpoint (id, account_id, url, kinds, sealed) values ($1, $2, 'https://example.com', '{task_finished}', $3)",
    newId("webhook"),
    account.accountId,
    Buffer.alloc(40),
  );
  const task = await end();
  expect(await toldOf(account.accountId)).toMatchObject([
    { kind: "task_finished", data: { task, status: "failed" } },
  ]);
});

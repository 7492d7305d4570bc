import { expect, test } from "vitest";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { newId } from "../../crypto/ids";
import { auditLedger } from "../audit/audit";
import type { HoldRequest } from "./verbs";

const { ledger, client } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 1_000_000n);

const spec = { prompt: "a cat" };
const success = { mediaId: "media_1", outputTokens: 3, facts: {} };

async function open(amount = 1000n): Promise<{ hold: HoldRequest; taskId: string }> {
  const hold = holdOf(account, amount, { family: "video" });
  const taskId = newId("task");
  expect(await ledger.openTask(hold, taskOf({ taskId, spec }))).toEqual({ result: "held", amount });
  return { hold, taskId };
}

const statusOf = async (taskId: string): Promise<string> =>
  (await client.query<{ status: string }>("select status from video_task where id = $1", [taskId]))
    .rows[0]?.status ?? "none";

test("a task that cannot be paid leaves neither a hold nor a task", async () => {
  const hold = holdOf(account, 10_000_000n, { family: "video" });
  const taskId = newId("task");
  expect(await ledger.openTask(hold, taskOf({ taskId, spec }))).toMatchObject({
    result: "insufficient",
  });
  expect(await statusOf(taskId)).toBe("none");
});

test("an opening sent twice gives one hold and one task, owned by no process", async () => {
  const { hold, taskId } = await open();
  expect(await ledger.openTask(hold, taskOf({ taskId, spec }))).toEqual({
    result: "held",
    amount: 1000n,
  });
  const { rows } = await client.query("select node_id from open_request where id = $1", [
    hold.operationId,
  ]);
  expect(rows).toEqual([{ node_id: null }]);
  await ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" });
});

test("a task's id is of one request: another order with it holds nothing", async () => {
  const { hold, taskId } = await open();
  const before = await ledger.balance(account.accountId);
  const other = holdOf(account, 5n, { family: "video" });
  await expect(ledger.openTask(other, taskOf({ taskId, spec }))).rejects.toThrow();
  expect(await ledger.balance(account.accountId)).toEqual(before);
  await ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" });
});

test("of many ends at once one counts, and task and request agree", async () => {
  const before = await ledger.balance(account.accountId);
  for (let round = 0; round < 10; round++) {
    const { hold, taskId } = await open();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 === round % 2
          ? ledger.settleTask(settleOf(hold, 3n), success)
          : ledger.releaseTask(releaseOf(hold), { status: "expired", errorCode: "task_expired" }),
      ),
    );
    expect(results.filter(({ result }) => result === "done")).toHaveLength(1);
    expect(new Set(results.map(({ outcome }) => outcome)).size).toBe(1);
    expect(await statusOf(taskId)).toBe(
      results[0]?.outcome === "settled" ? "succeeded" : "expired",
    );
  }
  const after = await ledger.balance(account.accountId);
  expect(after.held).toBe(before.held);
});

test.each(["failed", "cancelled", "expired"] as const)(
  "a task that is %s leaves the balance exactly as before",
  async (status) => {
    const before = await ledger.balance(account.accountId);
    const { hold } = await open();
    await ledger.releaseTask(releaseOf(hold), { status, errorCode: "upstream_failed" });
    expect(await ledger.balance(account.accountId)).toEqual(before);
  },
);

test("a success after a release is not charged and is recorded once", async () => {
  const { hold, taskId } = await open();
  await ledger.releaseTask(releaseOf(hold), { status: "expired", errorCode: "task_expired" });
  for (let n = 0; n < 2; n++)
    expect(await ledger.settleTask(settleOf(hold, 3n), success)).toMatchObject({
      result: "already",
      outcome: "released",
    });
  const { rows } = await client.query("select cause from operator_loss where operation_id = $1", [
    hold.operationId,
  ]);
  expect(rows).toEqual([{ cause: "late_success" }]);
  expect(await statusOf(taskId)).toBe("expired");
});

test("the database refuses a task that disagrees with its money, in either order of writes", async () => {
  const { hold, taskId } = await open();
  await expect(ledger.release(releaseOf(hold))).rejects.toThrow();
  await expect(
    client.query(
      "update video_task set status = 'failed', error_code = 'x', ended_at = now() where id = $1",
      [taskId],
    ),
  ).rejects.toThrow(/request is absent/);
  await expect(client.query("delete from video_task where id = $1", [taskId])).rejects.toThrow(
    /video_task_no_delete/,
  );
  await ledger.settleTask(settleOf(hold, 3n), success);
  await expect(
    client.query("update video_task set status = 'failed', error_code = 'x' where id = $1", [
      taskId,
    ]),
  ).rejects.toThrow(/video_task_ends_once/);
  expect((await auditLedger(client)).checks.filter(({ ok }) => !ok)).toEqual([]);
});

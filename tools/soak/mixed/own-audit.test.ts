/** The audit of its own finds each kind of damage. */
import { beforeAll, expect, test } from "vitest";
import { countAll } from "@/lib/ledger/usage/usage-counter";
import { ownerUrlOf } from "@/testing/db/test-database";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { auditOfOwn, auditRows } from "./own-audit";

const { url, client, ledger } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 10_000n);
beforeAll(async () => {
  for (const amount of [3n, 4n]) {
    const hold = holdOf(account, 100n);
    await ledger.openHold(hold);
    await ledger.settle(settleOf(hold, amount));
  }
  const released = holdOf(account, 100n);
  await ledger.openHold(released);
  await ledger.release(releaseOf(released));
  const video = holdOf(account, 100n, { family: "video" });
  await ledger.openTask(video, taskOf());
  const end = { mediaId: "media_1", outputTokens: 3, facts: {} };
  await ledger.settleTask(settleOf(video, 30n), end);
  await ledger.openHold(holdOf(account, 100n));
  await countAll(client);
});

test("a sound ledger is clean, and its charges are added up", async () => {
  expect(await auditOfOwn(ownerUrlOf(url))).toMatchObject({ faults: [], charged: 37n });
});

const damages: readonly (readonly [name: string, sql: string, finds: string])[] = [
  ["a charge is gone", "delete from request where amount = 3", "debits are its charges"],
  ["a charge grew", "update request set amount = 5 where amount = 4", "price of its tokens"],
  ["a credit is gone", "delete from ledger_entry", "credits are the entries"],
  ["a hold is gone", "delete from open_request", "what a wallet holds"],
  [
    "a request is open and ended",
    "update open_request set id = (select id from request where amount = 3)",
    "either open or ended",
  ],
  ["a wallet holds too little", "update wallet set debits_pending = 1", "what a wallet holds"],
  ["a wallet is overdrawn", "update wallet set credits_posted = 1", "overdrawn"],
  [
    "a request that cost nothing is gone",
    "delete from request where outcome = 'released'",
    "count every request that ended",
  ],
  [
    "a released hold cost something",
    "update request set amount = 1 where outcome = 'released'",
    "was released cost nothing",
  ],
  [
    "a paid video failed",
    "update video_task set status = 'failed', error_code = 'x', media_id = null",
    "a video has a result",
  ],
  ["a video has no task", "update open_request set is_task = true", "open exactly while"],
  ["a day counts too much", "update usage_day set amount = amount + 1", "days of a statement"],
];

test.each(damages)("%s: it is found", async (_, sql, finds) => {
  const { rows } = await client.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
      where contype = 'c' and conrelid in ('wallet'::regclass, 'request'::regclass, 'video_task'::regclass)`,
  );
  await client.query("begin");
  for (const { drop } of rows) await client.query(drop);
  await client.query("set local session_replication_role = replica");
  await client.query(sql);
  const { faults } = await auditRows(client).finally(() => client.query("rollback"));
  expect(faults.join("; ")).toContain(finds);
});

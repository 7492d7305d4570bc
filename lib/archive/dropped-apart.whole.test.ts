/** Requests that are in another piece than their id says, in a month whose requests are only in files. */

import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { dropMonth } from "@/testing/ledger/drop-month";
import { openEarlier, seedHistory } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { type Month, monthsToArchive } from "../ledger/archive/archive-register";
import { auditSealed } from "../ledger/audit/audit-sealed";
import { sealLedger } from "../ledger/audit/seal";
import { noOutcome } from "../ledger/core/verbs";
import { countAll } from "../ledger/usage/usage-counter";
import { openFolderStore } from "../media/folder-store";
import { archiveMonth } from "./archive-month";
import { archivedFiles } from "./archived-files";

const hoursSince = (time: number) => Math.floor((Date.now() - time) / 3_600_000);

test("a request that ended after its month was sealed is proven by its file; one with an id of a wrong month, or that is in no sum, keeps its month", {
  timeout: 180_000,
}, async () => {
  const url = await createTestDatabase();
  const owner = await connect(url);
  const ledger = await openTestLedger(url);
  const folder = newFolder("dropped-apart");
  const blobs = await openFolderStore(folder);
  await seedHistory(owner, url, { requests: 500, days: 190 });
  const [first, second] = (await monthsToArchive(owner)) as [Month, Month];
  const late = hoursSince(Date.parse(`${first.name}-25`));
  const open = await openEarlier(owner, "acct_history_3", late);
  // Only the first pieces, up to after the second month.
  const stopped = new AbortController();
  let pieces = 0;
  const onPiece = () => ++pieces === 4 && stopped.abort();
  await sealLedger(owner, { piece: 100, signal: stopped.signal, onPiece });
  // Made now, with an id of the second month.
  const strange = hoursSince(Date.parse(`${second.name}-15`));
  const stray = await openEarlier(owner, "acct_history_4", 1, strange);
  for (const request of [open, stray])
    await ledger.release({
      ...request,
      reason: "test",
      loss: null,
      outcome: noOutcome,
    });
  // As if they had ended on a day that is not sealed yet.
  await owner.query("begin; set local session_replication_role = replica");
  await owner.query("update request set ended_at = now() - interval '1 day' where id = any($1)", [
    [open.operationId, stray.operationId],
  ]);
  await owner.query("commit");
  await sealLedger(owner, { piece: 100 });
  const { rows } = await owner.query("select operation_id, piece from ledger_apart order by 1");
  expect(rows.map(({ operation_id }) => operation_id)).toEqual(
    expect.arrayContaining([open.operationId, stray.operationId]),
  );
  const wasBroken = async () =>
    (await auditSealed(owner, { isFull: true, files: archivedFiles(blobs) })).checks.filter(
      ({ ok }) => !ok,
    );
  expect(await wasBroken()).toEqual([]);
  for (const month of [first, second]) await archiveMonth(owner, blobs, month);
  await expect(dropMonth(owner, first)).rejects.toThrow(/is not in the sums/);
  await countAll(owner);
  await dropMonth(owner, first);
  expect(await wasBroken()).toEqual([]);
  await expect(dropMonth(owner, second)).rejects.toThrow(/id of another month/);
  expect(await wasBroken()).toEqual([]);
  await Promise.all([ledger.close(), owner.end()]);
});

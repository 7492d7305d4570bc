/**
 * Drops an archived month: afterwards its requests are only in their files. Nothing is dropped unless
 * this call read every file and found in it each row of the table, while nothing could write there.
 */
import type pg from "pg";
import { onlyRow } from "../db/only-row";
import { transact } from "../db/transaction";
import { isDropped, type Month, partsOf } from "../ledger/archive/archive-register";
import {
  dropRefusal,
  freezeMonth,
  type TakingOut,
  takeOut,
} from "../ledger/archive/month-partitions";
import type { BlobStore } from "../media/blob-store";
import { ArchiveRefused } from "./archive-month";
import { faultOfPart } from "./check-part";
import { asOnlyArchive } from "./one-archive";
import { verifyRegister } from "./verify-archive";

export interface ArchivePlace {
  /** A connection of the role that owns the table. It has the transaction. */
  readonly owner: pg.ClientBase;
  /** Another connection, whose locks are short. Both have no statement timeout. */
  readonly reader: pg.ClientBase;
  readonly blobs: BlobStore;
}

interface Options extends Pick<TakingOut, "patienceMs"> {
  /** Called after each step, for tests that stop there. */
  onStep?(step: "frozen" | "compared" | "found free" | "taken out" | "dropped"): void;
}

/**
 * What is missing for a month to be only in its files; null when nothing is. Each request of a file is
 * compared with the table, column by column; there are as many in the table, so there are no others.
 */
async function faultOfFiles(
  reader: pg.ClientBase,
  blobs: BlobStore,
  month: Month,
): Promise<string | null> {
  const broken = (await verifyRegister(reader)).find(({ ok }) => !ok);
  if (broken) return `it is not so that ${broken.name}: ${broken.detail}`;
  let requests = 0;
  for (const part of await partsOf(reader, month)) {
    const fault = await faultOfPart(reader, blobs, part, true);
    if (fault !== null) return fault;
    requests += part.requests;
  }
  const { rows } = onlyRow(
    await reader.query<{ rows: string }>(
      "select count(*) as rows from request where id >= $1 and id < $2",
      [month.starts, month.below],
    ),
  );
  if (rows === String(requests)) return null;
  return `the table has ${rows} rows of it, the files ${requests} requests`;
}

/** False: it was dropped before. */
export async function dropMonth(
  { owner, reader, blobs }: ArchivePlace,
  month: Month,
  { patienceMs, onStep }: Options = {},
): Promise<boolean> {
  const refuse = (reason: string) => new ArchiveRefused(`${month.name} is not dropped: ${reason}`);
  return asOnlyArchive(owner, async () => {
    if (await isDropped(reader, month)) return false;
    const refusal = await dropRefusal(owner, month);
    if (refusal !== null) throw refuse(refusal);
    await transact(owner, async () => {
      await freezeMonth(owner, month);
      onStep?.("frozen");
      const fault = await faultOfFiles(reader, blobs, month);
      if (fault !== null) throw refuse(fault);
      onStep?.("compared");
      await takeOut(owner, month, {
        ...(patienceMs !== undefined && { patienceMs }),
        ...(onStep && { onStep }),
      });
    });
    onStep?.("dropped");
    return true;
  });
}

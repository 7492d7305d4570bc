/** Keeps requests in the database for some months: archives what is old enough, and drops what is older. */
import { isRelayError } from "../failures/relay-error";
import { type Month, monthsToArchive, monthsToDrop } from "../ledger/archive/archive-register";
import { hasOwnPartition } from "../ledger/archive/month-partitions";
import { ArchiveRefused, archiveMonth } from "./archive-month";
import { type ArchivePlace, dropMonth } from "./drop-month";

export interface KeptRequests {
  readonly archived: readonly string[];
  readonly dropped: readonly string[];
  /** Old enough, but in a partition with other months, so they stay. */
  readonly shared: readonly string[];
  readonly failed: readonly { readonly month: string; readonly reason: string }[];
}

/** `months`: how many full months a month stays after its end. One month that fails stops no other. */
export async function keepRequests(place: ArchivePlace, months: number): Promise<KeptRequests> {
  const { owner, reader, blobs } = place;
  const [archived, dropped, shared]: [string[], string[], string[]] = [[], [], []];
  const failed: { month: string; reason: string }[] = [];
  async function each(found: readonly Month[], work: (month: Month) => Promise<void>) {
    for (const month of found)
      await work(month).catch((error: unknown) => {
        if (!(error instanceof ArchiveRefused) && !isRelayError(error)) throw error;
        failed.push({ month: month.name, reason: error.message });
      });
  }
  await each(await monthsToArchive(reader), async (month) => {
    if (await archiveMonth(reader, blobs, month)) archived.push(month.name);
  });
  await each(await monthsToDrop(reader, months), async (month) => {
    if (!(await hasOwnPartition(owner, month))) shared.push(month.name);
    else if (await dropMonth(place, month)) dropped.push(month.name);
  });
  return { archived, dropped, shared, failed };
}

/**
 * Writes a month of requests into files, in parts. A part is noted after it was read back and every
 * row compared; the month, when its parts have all of its requests. It may be killed at any time, and
 * continues with the first part that is not noted.
 */
import type pg from "pg";
import {
  type ArchivePart,
  archiveRefusal,
  closeArchive,
  isArchived,
  type Month,
  type NextPart,
  nextPart,
  notePart,
} from "../ledger/archive/archive-register";
import { PartSums, requestsBetween } from "../ledger/archive/archive-rows";
import { faultOfMonth } from "../ledger/archive/month-fault";
import type { BlobStore } from "../media/blob-store";
import { archivedFiles } from "./archived-files";
import { faultOfPart } from "./check-part";
import { asOnlyArchive } from "./one-archive";
import { writePart } from "./part-file";

/** Some 60 MB packed. An object of S3 has a limit, and a part is what a kill may cost. */
const REQUESTS_OF_PART = 500_000;

/** The month cannot be archived, or what is there is not as it was sealed. Its message says why. */
export class ArchiveRefused extends Error {}

interface Options {
  readonly requestsOfPart?: number;
  /** Called after each step, for tests that stop there. */
  onStep?(step: "proved" | "written" | "checked" | "noted"): void;
}

async function archivePart(
  client: pg.ClientBase,
  blobs: BlobStore,
  month: Month,
  next: NextPart,
  { onStep }: Options,
): Promise<void> {
  const sums = new PartSums();
  async function* lines() {
    for await (const rows of requestsBetween(client, next)) {
      sums.add(rows);
      yield rows.map(({ line }) => line);
    }
  }
  const { bytes, sha256 } = await writePart(blobs, next, lines());
  onStep?.("written");
  const part: ArchivePart = { ...next, bytes, sha256, ...sums.figures() };
  const fault = await faultOfPart(client, blobs, part, true);
  if (fault !== null) throw new ArchiveRefused(`${month.name} is not archived: ${fault}`);
  onStep?.("checked");
  await notePart(client, month, part);
  onStep?.("noted");
}

/** False: it was archived before. The connection must have no statement timeout. */
export async function archiveMonth(
  client: pg.ClientBase,
  blobs: BlobStore,
  month: Month,
  options: Options = {},
): Promise<boolean> {
  const { requestsOfPart = REQUESTS_OF_PART, onStep } = options;
  return asOnlyArchive(client, async () => {
    if (await isArchived(client, month)) return false;
    const refusal = await archiveRefusal(client, month);
    if (refusal !== null) throw new ArchiveRefused(`${month.name} cannot be archived: ${refusal}`);
    const fault = await faultOfMonth(client, archivedFiles(blobs), month);
    if (fault !== null)
      throw new ArchiveRefused(
        `${month.name} is not archived: it is not as it was sealed: ${fault}`,
      );
    onStep?.("proved");
    for (;;) {
      const next = await nextPart(client, month, requestsOfPart);
      if (next === null) break;
      await archivePart(client, blobs, month, next, options);
    }
    await closeArchive(client, month);
    return true;
  });
}

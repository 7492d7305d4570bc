/** Reads a part back, as rows, and compares it with what it must be. */
import type pg from "pg";
import type { ArchivePart } from "../ledger/archive/archive-register";
import { groupsOf, PartSums, rowsOfLines } from "../ledger/archive/archive-rows";
import type { BlobStore } from "../media/blob-store";
import { faultOfFile } from "./archived-files";
import { DamagedArchive, linesOfPart } from "./part-file";

/** Rejects with `DamagedArchive`, `UnreadArchive` or `BlobMissing`. */
async function readSums(
  client: Pick<pg.ClientBase, "query">,
  blobs: BlobStore,
  part: ArchivePart,
  isCompared: boolean,
): Promise<PartSums> {
  const sums = new PartSums();
  let last = "";
  async function take(lines: readonly string[]): Promise<void> {
    const rows = await rowsOfLines(client, lines);
    for (const { id, belongs, is_same } of rows) {
      if (id <= last || id < part.starts || id >= part.below || !belongs)
        throw new DamagedArchive(`${part.file}: request ${id} does not belong there`);
      if (isCompared && !is_same)
        throw new DamagedArchive(`${part.file}: request ${id} is not as the database has it`);
      last = id;
    }
    sums.add(rows);
  }
  for await (const lines of groupsOf(linesOfPart(blobs, part))) await take(lines);
  return sums;
}

/**
 * What is wrong with the file of a part; null when nothing is. With `isCompared`, each row is also
 * compared with the database's, column by column.
 */
export async function faultOfPart(
  client: Pick<pg.ClientBase, "query">,
  blobs: BlobStore,
  part: ArchivePart,
  isCompared: boolean,
): Promise<string | null> {
  try {
    const found = (await readSums(client, blobs, part, isCompared)).figures();
    const isSame =
      found.requests === part.requests &&
      found.charges === part.charges &&
      found.charged === part.charged &&
      found.accounts_hash.equals(part.accounts_hash) &&
      found.rows_hash.equals(part.rows_hash);
    return isSame ? null : `${part.file}: its requests do not have the noted sums`;
  } catch (error) {
    const fault = faultOfFile(part.file, error);
    if (fault === null) throw error;
    return fault;
  }
}

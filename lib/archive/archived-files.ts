/** The files of dropped months, for an audit that reads everything again. */
import { type ArchivedFiles, ArchiveFault } from "../ledger/archive/archived-piece";
import { BlobMissing, type BlobStore } from "../media/blob-store";
import { DamagedArchive, linesOfPart, UnreadArchive } from "./part-file";

/** What is wrong with a file, by the error that its reader rejects with; null for another error. */
export function faultOfFile(file: string, error: unknown): string | null {
  if (error instanceof BlobMissing) return `${file} is missing`;
  if (error instanceof DamagedArchive || error instanceof UnreadArchive) return error.message;
  return null;
}

export const archivedFiles = (blobs: BlobStore): ArchivedFiles => ({
  async *lines(part) {
    try {
      yield* linesOfPart(blobs, part);
    } catch (error) {
      const fault = faultOfFile(part.file, error);
      throw fault === null ? error : new ArchiveFault(fault, { cause: error });
    }
  },
});

/** Finds a request of a dropped month in its file. */
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import {
  type ArchivedName,
  type ArchivedRequests,
  type ArchivePart,
  droppedPartsWith,
} from "../ledger/archive/archive-register";
import type { BlobStore } from "../media/blob-store";
import { isRecord } from "../values/records";
import { faultOfFile } from "./archived-files";
import { linesWith } from "./part-file";

const isNamed = (operation: Record<string, unknown>, name: ArchivedName) =>
  "operation" in name ? operation.id === name.operation : operation.request_id === name.request;

/** The line of a request in a file; null when it is not there. */
export async function lineIn(
  blobs: BlobStore,
  part: ArchivePart,
  name: ArchivedName,
): Promise<string | null> {
  const text = "operation" in name ? name.operation : name.request;
  for await (const line of linesWith(blobs, part, `"${text}"`)) {
    const value: unknown = JSON.parse(line);
    if (isRecord(value) && isRecord(value.operation) && isNamed(value.operation, name)) return line;
  }
  return null;
}

/** How many times as long as its reading took an account waits for its next one, for the others' sake. */
const OWN_REST = 9;

/**
 * Reads one file at a time, and pauses as long as that took: a file has up to some 60 MB, which takes
 * seconds, and nothing else limits how often an account asks for its old requests.
 */
export function openArchivedRequests(pool: Reader, blobs: BlobStore): ArchivedRequests {
  let [isReading, restUntil] = [false, 0];
  /** Until when each account waits. Readings run one after another, so about five wait at most. */
  const resting = new Map<string, number>();
  async function lineOf(name: ArchivedName, parts: readonly ArchivePart[]): Promise<string | null> {
    for (const part of parts) {
      try {
        const line = await lineIn(blobs, part, name);
        if (line !== null) return line;
      } catch (error) {
        const fault = faultOfFile(part.file, error);
        if (fault === null) throw error;
        throw new RelayError("service_busy", {
          message: "The archive with this request cannot be read now.",
          internal: fault,
          cause: error,
        });
      }
    }
    return null;
  }
  return {
    async find(name, by) {
      const parts = await droppedPartsWith(pool, name);
      if (parts.length === 0) return null;
      const now = performance.now();
      for (const [who, until] of resting) if (until <= now) resting.delete(who);
      if (isReading || now < restUntil || resting.has(by ?? ""))
        throw new RelayError("service_busy", {
          message: "Another archived request is being read. Try again in some seconds.",
          retryAfterSeconds: 5,
        });
      isReading = true;
      try {
        return await lineOf(name, parts);
      } finally {
        isReading = false;
        const took = performance.now() - now;
        restUntil = now + 2 * took;
        if (by !== null) resting.set(by, now + (1 + OWN_REST) * took);
      }
    },
  };
}

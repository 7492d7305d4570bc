/** Reads archived files again, and finds a request in them. */
import type pg from "pg";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { archiveRules, type Month, partsOf, partWith } from "../ledger/archive/archive-register";
import { type AuditCheck, runRules } from "../ledger/audit/audit";
import type { BlobStore } from "../media/blob-store";
import { isRecord } from "../values/records";
import { lineIn } from "./archived-requests";
import { faultOfPart } from "./check-part";

/** Whether what is noted of all archived months is as it was. */
export const verifyRegister = (client: pg.ClientBase): Promise<AuditCheck[]> =>
  runRules(client, archiveRules);

export interface PartFault {
  readonly number: number;
  readonly requests: number;
  /** Null when nothing is wrong. */
  readonly fault: string | null;
}

/** Every part of a month: its bytes, its requests, their hashes, and the sums of each account. */
export async function verifyMonth(
  client: pg.ClientBase,
  blobs: BlobStore,
  month: Month,
): Promise<PartFault[]> {
  const found: PartFault[] = [];
  for (const part of await partsOf(client, month)) {
    const { number, requests } = part;
    found.push({ number, requests, fault: await faultOfPart(client, blobs, part, false) });
  }
  return found;
}

/** A request as its archived file has it, by the ledger's id. Rejects with `not_found`. */
export async function archivedRequest(
  client: Reader,
  blobs: BlobStore,
  id: string,
): Promise<{ file: string; request: Record<string, unknown> }> {
  const part = await partWith(client, id);
  if (part === null)
    throw new RelayError("not_found", { message: `Request ${id} is in no archive.` });
  const line = await lineIn(blobs, part, { operation: id });
  const request: unknown = line === null ? null : JSON.parse(line);
  if (isRecord(request)) return { file: part.file, request };
  throw new RelayError("not_found", { message: `Request ${id} is in no archive.` });
}

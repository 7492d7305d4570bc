/**
 * Ends in the spool of a release with points leases, each written together with its hold: the hold
 * was only in that process's memory, so it is opened before its end is replayed.
 */
import type pg from "pg";
import { isValueRefused } from "../../db/database-errors";
import { onlyRow } from "../../db/only-row";
import { RelayError } from "../../failures/relay-error";
import { callOf } from "./batch-statement";

/** The columns of the hold in such a record, in the order of `ledger_hold_one`. */
const holdNames = (
  "id account key source request family dialect model price " +
  "version ppm quote held least sha seconds"
).split(" ");

/**
 * True when the request is open or has ended, or the record has no hold. False when the database
 * refuses the hold, for want of points, say: then nothing was charged. The record has all of the
 * hold, and its `amount` is the charge.
 */
export async function openSpooledHold(
  pool: pg.Pool,
  nodeId: string,
  record: string,
  log: (event: string, detail: unknown) => void,
): Promise<boolean> {
  const { held, settled, amount, sha, ...rest } = JSON.parse(record);
  if (held === undefined) return true;
  const least = settled ? Math.min(amount, held) : 0;
  const hold: Record<string, unknown> = { ...rest, held, least, sha: `\\x${sha}` };
  const values = [nodeId, ...holdNames.map((name) => hold[name] ?? null)];
  const call = callOf("ledger_hold_one", values.length);
  const answer = await pool
    .query<{ answer: string }>(`select ${call} as answer`, values)
    .then((found) => onlyRow(found).answer)
    .catch((error: unknown) => {
      if (!isValueRefused(error)) throw error;
      return String(error);
    });
  if (answer === "n") throw new RelayError("database_unavailable");
  if (answer.startsWith("h")) return true;
  log("ledger_spooled_hold_refused", { id: rest.id, answer });
  return false;
}

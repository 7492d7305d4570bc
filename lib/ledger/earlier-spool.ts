/**
 * Ends in the spool of a release with points leases, each written together with its hold: the hold
 * was only in that process's memory, so it is opened before its end is replayed.
 */
import type pg from "pg";
import { isValueRefused } from "../db/database-errors";
import { onlyRow } from "../db/only-row";
import { RelayError } from "../errors";

/** What a record of the spool is read for. Only such a record has `held`. */
export interface SpooledEnd {
  readonly id: string;
  readonly account: string;
  readonly settled: boolean;
  readonly amount: number;
  readonly held?: number;
}

/**
 * True when the operation is open or has ended. False when the database refuses it, for want of
 * points, say: then nothing was charged. The record has all of the hold, and `amount` is its charge.
 */
export async function openSpooledHold(
  pool: pg.Pool,
  nodeId: string,
  end: SpooledEnd,
  log: (event: string, detail: unknown) => void,
): Promise<boolean> {
  const { id, account, settled, amount, held = 0 } = end;
  const hold = { ...end, i: 0, amount: held, least: settled ? Math.min(amount, held) : 0 };
  const answer = await apply(pool, [nodeId, [account], JSON.stringify([hold])]).catch((error) => {
    if (!isValueRefused(error)) throw error;
    return String(error);
  });
  if (answer === ";n") throw new RelayError("database_unavailable");
  if (answer.startsWith(";h")) return true;
  log("ledger_spooled_hold_refused", { id, answer });
  return false;
}

async function apply(pool: pg.Pool, values: unknown[]): Promise<string> {
  const statement = "select ledger_apply($1, $2, null, $3) as answer";
  return onlyRow(await pool.query<{ answer: string }>(statement, values)).answer;
}

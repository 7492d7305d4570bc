/**
 * Points that end. Both verbs run in the caller's transaction, which keeps the wallet's lock until
 * it ends, and may be sent again.
 */
import type pg from "pg";
import { RelayError } from "../../errors";
import { MICROPOINTS_MAX, type Micropoints } from "../../points";
import type { CreditRequest } from "./verbs";

type Queries = Pick<pg.ClientBase, "query">;

export interface LotRequest extends CreditRequest {
  readonly endsAt: Date;
}

/** In millionths: all of them. */
export const WHOLE_SHARE = 1_000_000;

/** What of a source's lots goes on: `share` in millionths of what no request holds. */
export interface LotEnd {
  /** The beginning of the refs of the entries that made them. */
  readonly source: string;
  readonly share: number;
  /** Null if nothing goes on. */
  readonly carriedTo: Date | null;
}

/**
 * Credits points that end, once per kind and ref; false when that was done before. Throws
 * `not_found` without a wallet.
 */
export async function creditLot(queries: Queries, request: LotRequest): Promise<boolean> {
  const { accountId, kind, ref, amount, reason, actor, endsAt } = request;
  if (amount < 1n || amount > MICROPOINTS_MAX)
    throw new RangeError(`amount is ${amount}; it must be from 1 to ${MICROPOINTS_MAX}`);
  const { rows } = await queries.query<{ answer: string }>(
    "select ledger_credit_lot($1, $2, $3, $4, $5, $6, $7) as answer",
    [accountId, kind, ref, amount, reason, actor, endsAt],
  );
  const answer = rows[0]?.answer ?? "";
  if (answer.startsWith("d")) return true;
  if (answer.startsWith("s")) return false;
  throw new RelayError(answer === "o" ? "already_exists" : "not_found", {
    internal: `${kind} ${ref} of ${accountId}: ${answer}`,
  });
}

/**
 * Takes what is left of the account's lots that have ended, as entries of their own, and returns
 * how much; with `end`, the lots of a source end now. What open requests hold is left until it is
 * called again.
 */
export async function expireLots(
  queries: Queries,
  accountId: string,
  end: LotEnd | null,
): Promise<Micropoints> {
  const { rows } = await queries.query<{ taken: string }>(
    "select ledger_expire_lots($1, $2, $3, $4) as taken",
    [accountId, end?.source ?? null, end?.share ?? 0, end?.carriedTo ?? null],
  );
  return BigInt(rows[0]?.taken ?? 0);
}

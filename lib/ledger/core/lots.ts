/**
 * Points that end. Both verbs run in the caller's transaction, which keeps the wallet's lock until
 * it ends, and may be sent again.
 */
import type pg from "pg";
import { RelayError } from "../../failures/relay-error";
import { MICROPOINTS_MAX, type Micropoints } from "../../money/points";
import type { CreditRequest } from "./verbs";

type Queries = Pick<pg.ClientBase, "query">;

export interface LotRequest extends CreditRequest {
  readonly endsAt: Date;
}

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
 * Takes what is left of the account's lots that ended until a time, or of a source's lots, which end
 * now: as entries of their own. Returns how much. What open requests hold is left until it is called
 * again.
 */
export async function expireLots(
  queries: Queries,
  accountId: string,
  end: Date | LotEnd,
): Promise<Micropoints> {
  const values =
    end instanceof Date ? [end, null, 0, null] : [null, end.source, end.share, end.carriedTo];
  const { rows } = await queries.query<{ taken: string }>(
    "select ledger_expire_lots($1, $2, $3, $4, $5) as taken",
    [accountId, ...values],
  );
  return BigInt(rows[0]?.taken ?? 0);
}

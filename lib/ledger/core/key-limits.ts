/** The limits of keys that the ledger holds, and what is left of them. */

import type pg from "pg";
import type { BudgetPeriod } from "../../contract/states";
import type { Transaction } from "../../db/client";
import type { Reader } from "../../db/pool";
import { RelayError } from "../../failures/relay-error";
import type { Micropoints } from "../../money/points";

/** Points in a window, requests at once, and tokens a minute. */
export type KeyLimitKind = BudgetPeriod | "running" | "tokens";

export interface KeyLimit {
  readonly kind: KeyLimitKind;
  /** Micropoints, requests or tokens; null lifts the limit. */
  readonly amount: bigint | null;
  /** The IANA zone in whose midnight the window begins; null where there is none. */
  readonly zone: string | null;
}

const setLimit = "select ledger_set_key_limit($1, $2, $3, $4, $5) as ok";

/** Sets or lifts one limit of a key. Throws `not_found` when the account has no such key. */
export async function setKeyLimit(
  place: pg.Pool | Transaction,
  apiKeyId: string,
  accountId: string,
  { kind, amount, zone }: KeyLimit,
): Promise<void> {
  const values = [apiKeyId, accountId, kind, amount, zone];
  const rows =
    "totalCount" in place
      ? (await place.query<{ ok: boolean }>(setLimit, values)).rows
      : await place.$queryRawUnsafe<{ ok: boolean }[]>(setLimit, ...values);
  if (!rows[0]?.ok) throw new RelayError("not_found");
}

export interface KeyLimitState {
  readonly apiKeyId: string;
  readonly kind: KeyLimitKind;
  /** Micropoints, requests or tokens. */
  readonly max: Micropoints;
  readonly spent: Micropoints;
  readonly held: Micropoints;
  readonly left: Micropoints;
  readonly zone: string | null;
  /** When the next window begins; null for requests at once. */
  readonly renewsAt: Date | null;
}

interface Row extends Record<"max" | "spent" | "held", string> {
  readonly key: string;
  readonly kind: KeyLimitKind;
  readonly zone: string | null;
  readonly renews_at: Date | null;
}

/** A window that is over counts nothing any more, although its row is still there. */
const statesQuery = `
  select b.api_key_id as key, b.kind, b.zone, b.budget as max, case when b.ends_at <= now() then 0 else b.spent end as spent,
         case when b.ends_at <= now() then 0 else b.held end as held,
         case when b.ends_at <= now() then (ledger_key_window(b.kind, b.zone, now())).ends_at else b.ends_at end as renews_at
    from api_key_budget b where b.account_id = $1 and b.kind <> 'lifetime' and ($2::text is null or b.api_key_id = $2)
   order by b.api_key_id, array_position(array['day', 'week', 'month', 'running', 'tokens'], b.kind)`;

/** The limits of one key, or of all keys of the account. */
export async function keyLimitStates(
  pool: Reader,
  accountId: string,
  apiKeyId: string | null = null,
): Promise<KeyLimitState[]> {
  const { rows } = await pool.query<Row>(statesQuery, [accountId, apiKeyId]);
  return rows.map(({ key, kind, zone, renews_at: renewsAt, ...amounts }) => {
    const [max, spent, held] = [BigInt(amounts.max), BigInt(amounts.spent), BigInt(amounts.held)];
    const rest = max - spent - held;
    const left = rest > 0n ? rest : 0n;
    return { apiKeyId: key, kind, max, spent, held, left, zone, renewsAt };
  });
}

/** The balance of an account, its charges, and the spending of its keys. */
import type { Reader } from "../db/pool";
import type { Balance } from "../ledger/core/verbs";
import type { Micropoints } from "../money/points";

export interface AccountBalance extends Balance {
  readonly openHolds: number;
}

/** All zero for an account without a wallet. */
export async function accountBalance(pool: Reader, accountId: string): Promise<AccountBalance> {
  const { rows } = await pool.query<{ available: string; held: string; open_holds: number }>(
    "select credits_posted - debits_posted - debits_pending as available, debits_pending as held, open_holds from wallet where account_id = $1",
    [accountId],
  );
  return {
    available: BigInt(rows[0]?.available ?? 0),
    held: BigInt(rows[0]?.held ?? 0),
    openHolds: rows[0]?.open_holds ?? 0,
  };
}

export interface Statement {
  /** All points ever added: top-ups, vouchers, grants, refunds, adjustments. */
  readonly toppedUp: Micropoints;
  readonly charged: Micropoints;
  /** Since the first of the month (UTC). */
  readonly chargedThisMonth: Micropoints;
  /** Clawbacks and downward adjustments. */
  readonly takenBack: Micropoints;
}

/** The account's totals: `available` + `held` = `toppedUp` - `charged` - `takenBack`. */
export async function statement(pool: Reader, accountId: string): Promise<Statement> {
  const { rows } = await pool.query<Record<"credits" | "debits" | "charged" | "month", string>>(
    `select w.credits_posted as credits, w.debits_posted as debits, coalesce(u.charged, 0)::bigint as charged, coalesce(u.month, 0)::bigint as month
       from wallet w, (select sum(amount) as charged,
                              sum(amount) filter (where day >= date_trunc('month', now() at time zone 'UTC')::date) as month
                         from usage_of_day where account_id = $1) u
      where w.account_id = $1`,
    [accountId],
  );
  const [charged, debits] = [BigInt(rows[0]?.charged ?? 0), BigInt(rows[0]?.debits ?? 0)];
  return {
    toppedUp: BigInt(rows[0]?.credits ?? 0),
    charged,
    chargedThisMonth: BigInt(rows[0]?.month ?? 0),
    takenBack: debits - charged,
  };
}

export interface KeySpend {
  readonly apiKeyId: string;
  readonly spent: Micropoints;
  readonly spent30Days: Micropoints;
  /** Null when the key has no budget. */
  readonly budget: Micropoints | null;
}

/** One row for each key of the account that has spent something or has a budget. */
export async function spendPerKey(pool: Reader, accountId: string): Promise<KeySpend[]> {
  const { rows } = await pool.query<{
    key: string;
    spent: string;
    recent: string;
    budget: string | null;
  }>(
    `select key, coalesce(u.spent, 0)::bigint as spent, coalesce(u.recent, 0)::bigint as recent, b.budget
       from (select api_key_id as key, sum(amount) as spent,
                    sum(amount) filter (where day > (now() at time zone 'UTC')::date - 30) as recent
               from usage_of_day where account_id = $1 and api_key_id <> '' group by 1) u
       full join (select api_key_id as key, budget from api_key_budget where account_id = $1 and kind = 'lifetime') b using (key)`,
    [accountId],
  );
  return rows.map(({ key, spent, recent, budget }) => ({
    apiKeyId: key,
    spent: BigInt(spent),
    spent30Days: BigInt(recent),
    budget: budget === null ? null : BigInt(budget),
  }));
}

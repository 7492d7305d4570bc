/** Charges from the ledger's sums per UTC day: fast however many requests there were. Read-only. */
import type pg from "pg";
import type { CreditKind, UsageGrouping } from "../contract/states";
import type { Micropoints } from "../points";

export interface Spend {
  /** A day such as `2026-11-21`, a model, or an API key's id; empty for requests without a key. */
  readonly id: string;
  readonly name: string | null;
  readonly requests: number;
  readonly amount: Micropoints;
}

const groupSql: Record<UsageGrouping, string> = {
  day: "to_char(u.day, 'YYYY-MM-DD')",
  model: "u.model",
  key: "u.api_key_id",
};
const SPEND_GROUPS_MAX = 100;

const today = "(now() at time zone 'UTC')::date";

/**
 * The charges of the last `days` UTC days, today included: days in order, otherwise the most
 * expensive first, at most 100.
 */
export async function spendBy(
  pool: pg.Pool,
  accountId: string,
  group: UsageGrouping,
  days: number,
): Promise<Spend[]> {
  const { rows } = await pool.query<{
    id: string;
    name: string | null;
    requests: string;
    amount: string;
  }>(
    `select ${groupSql[group]} as id, max(k.name) as name, sum(u.requests) as requests, sum(u.amount)::bigint as amount
       from usage_day u left join api_key k on k.id = u.api_key_id
      where u.account_id = $1 and u.day > ${today} - $2::integer
      group by 1 order by ${group === "day" ? "1" : "amount desc, 1"} limit ${SPEND_GROUPS_MAX}`,
    [accountId, days],
  );
  return rows.map((row) => ({
    id: row.id,
    name: group === "key" ? row.name : null,
    requests: Number(row.requests),
    amount: BigInt(row.amount),
  }));
}

/**
 * For each key that spent something in the last `days` UTC days: its charges on each of these days,
 * oldest first.
 */
export async function dailySpendPerKey(
  pool: pg.Pool,
  accountId: string,
  days: number,
): Promise<ReadonlyMap<string, Micropoints[]>> {
  const { rows } = await pool.query<{ key: string; age: number; amount: string }>(
    `select api_key_id as key, ${today} - day as age, sum(amount)::bigint as amount from usage_day
      where account_id = $1 and day > ${today} - $2::integer and day <= ${today} group by 1, 2`,
    [accountId, days],
  );
  const perKey = new Map<string, Micropoints[]>();
  for (const { key, age, amount } of rows) {
    const each = perKey.get(key) ?? Array.from({ length: days }, () => 0n);
    each[days - 1 - age] = BigInt(amount);
    perKey.set(key, each);
  }
  return perKey;
}

interface StatementLine {
  /** UTC. */
  readonly day: string;
  readonly kind: CreditKind | "charge";
  /** The model and the key of a charge; the reason of a credit. */
  readonly model: string | null;
  readonly keyName: string | null;
  readonly reason: string | null;
  /** The number of requests that the charge sums up. */
  readonly requests: number | null;
  /** Negative when it takes points away. */
  readonly amount: Micropoints;
}

export interface RangeStatement {
  readonly opening: Micropoints;
  readonly credits: Micropoints;
  readonly takenBack: Micropoints;
  readonly charges: Micropoints;
  /** `opening` + `credits` - `takenBack` - `charges`. */
  readonly closing: Micropoints;
  readonly lines: StatementLine[];
  /** True when there are more lines than were read. The sums include all. */
  readonly isCut: boolean;
}

const takes = "kind in ('clawback', 'adjust_down')";

/**
 * The account's balance (available and held together) over whole UTC days, `from` to `to`, both
 * included; oldest line first.
 */
export async function statementBetween(
  pool: pg.Pool,
  accountId: string,
  { from, to, linesMax }: { from: string; to: string; linesMax: number },
): Promise<RangeStatement> {
  const days = [accountId, from, to];
  const [sums, lines] = await Promise.all([
    pool.query<Record<"earlier" | "credits" | "taken" | "spent_earlier" | "charges", string>>(
      `select coalesce(sum(case when ${takes} then -amount else amount end) filter (where day < $2::date), 0)::bigint as earlier,
              coalesce(sum(amount) filter (where day >= $2::date and not ${takes}), 0)::bigint as credits,
              coalesce(sum(amount) filter (where day >= $2::date and ${takes}), 0)::bigint as taken,
              (select coalesce(sum(amount), 0)::bigint from usage_day where account_id = $1 and day < $2::date) as spent_earlier,
              (select coalesce(sum(amount), 0)::bigint from usage_day where account_id = $1 and day between $2::date and $3::date) as charges
         from (select kind, amount, (created_at at time zone 'UTC')::date as day from ledger_entry where account_id = $1) e
        where day <= $3::date`,
      days,
    ),
    pool.query<
      Omit<StatementLine, "amount" | "requests" | "keyName"> & {
        key_name: string | null;
        requests: string | null;
        amount: string;
      }
    >(
      `select to_char(day, 'YYYY-MM-DD') as day, kind, model, key_name, reason, requests, amount from (
         select (created_at at time zone 'UTC')::date as day, 0 as place, id, kind, null as model, null as key_name, reason, null::bigint as requests,
                case when ${takes} then -amount else amount end as amount
           from ledger_entry where account_id = $1
         union all
         select u.day, 1, 0, 'charge', u.model, k.name, null, u.requests, -u.amount
           from usage_day u left join api_key k on k.id = u.api_key_id where u.account_id = $1 and u.day between $2::date and $3::date) l
        where day between $2::date and $3::date order by day, place, id, model, key_name limit $4`,
      [...days, linesMax + 1],
    ),
  ]);
  const [row] = sums.rows;
  const [earlier, credits, takenBack] = [
    BigInt(row?.earlier ?? 0),
    BigInt(row?.credits ?? 0),
    BigInt(row?.taken ?? 0),
  ];
  const charges = BigInt(row?.charges ?? 0);
  const opening = earlier - BigInt(row?.spent_earlier ?? 0);
  return {
    opening,
    credits,
    takenBack,
    charges,
    closing: opening + credits - takenBack - charges,
    lines: lines.rows.slice(0, linesMax).map(({ key_name, requests, amount, ...line }) => ({
      ...line,
      keyName: key_name,
      requests: requests === null ? null : Number(requests),
      amount: BigInt(amount),
    })),
    isCut: lines.rows.length > linesMax,
  };
}

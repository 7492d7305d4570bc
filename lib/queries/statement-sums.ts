/** An account's balance over whole UTC days. Read-only. */
import { onlyRow } from "../db/only-row";
import type { Reader } from "../db/pool";
import { takesPoints } from "../ledger/audit/entry-kinds";
import type { Micropoints } from "../money/points";
import { entryChange } from "./entry-change";

/** UTC days, both included. */
export interface StatementDays {
  readonly from: string;
  readonly to: string;
}

export interface StatementSums {
  readonly opening: Micropoints;
  readonly credits: Micropoints;
  readonly takenBack: Micropoints;
  readonly charges: Micropoints;
  /** `opening` + `credits` - `takenBack` - `charges`. */
  readonly closing: Micropoints;
  readonly lineCount: number;
}

const query = `
select coalesce(sum(${entryChange}) filter (where day < $2::date), 0)::bigint as earlier,
       coalesce(sum(amount) filter (where day >= $2::date and not ${takesPoints}), 0)::bigint as credits,
       coalesce(sum(amount) filter (where day >= $2::date and ${takesPoints}), 0)::bigint as taken,
       count(*) filter (where day >= $2::date) + u.lines as lines, u.earlier as spent_earlier, u.charges
  from (select coalesce(sum(amount) filter (where day < $2::date), 0)::bigint as earlier,
               coalesce(sum(amount) filter (where day >= $2::date), 0)::bigint as charges, count(*) filter (where day >= $2::date) as lines
          from (select day, sum(amount) as amount from usage_of_day where account_id = $1 and day <= $3::date group by day, api_key_id, model) d) u
  left join (select kind, amount, (created_at at time zone 'UTC')::date as day from ledger_entry where account_id = $1) e on day <= $3::date
 group by u.earlier, u.charges, u.lines`;

/** The sums of a range of days, available and held points together. */
export async function statementSums(
  pool: Reader,
  accountId: string,
  { from, to }: StatementDays,
): Promise<StatementSums> {
  const row = onlyRow(
    await pool.query<
      Record<"earlier" | "credits" | "taken" | "spent_earlier" | "charges" | "lines", string>
    >(query, [accountId, from, to]),
  );
  const opening = BigInt(row.earlier) - BigInt(row.spent_earlier);
  const [credits, takenBack, charges] = [row.credits, row.taken, row.charges].map(BigInt);
  if (credits === undefined || takenBack === undefined || charges === undefined)
    throw new Error("three sums were read");
  const closing = opening + credits - takenBack - charges;
  return { opening, credits, takenBack, charges, closing, lineCount: Number(row.lines) };
}

const openingQuery = `
select coalesce((select sum(${entryChange}) from ledger_entry
                  where account_id = $1 and (created_at at time zone 'UTC')::date < $2::date), 0)::bigint
       - coalesce((select sum(amount) from usage_of_day where account_id = $1 and day < $2::date), 0)::bigint as opening`;

/** The balance before a day. It reads nothing of the days that follow. */
export async function openingBalance(
  pool: Reader,
  accountId: string,
  from: string,
): Promise<Micropoints> {
  const row = onlyRow(await pool.query<{ opening: string }>(openingQuery, [accountId, from]));
  return BigInt(row.opening);
}

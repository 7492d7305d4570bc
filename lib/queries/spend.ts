/** Charges from the ledger's sums per UTC day: fast however many requests there were. Read-only. */

import type { z } from "zod";
import type { UsageGrouping } from "../contract/states";
import type { usageEndpoints } from "../contract/usage";
import type { Reader } from "../db/pool";
import { usageOfMembers } from "../ledger/usage/usage-of-members";
import type { Micropoints } from "../money/points";
import type { Stored } from "./stored";

/** `id`: a day such as `2026-11-21`, a model, or an API key's id; empty for requests without a key. */
type Spend = Stored<
  z.input<(typeof usageEndpoints)["showSpend"]["answer"]>["groups"][number],
  "amount",
  never
>;

const groupSql: Record<UsageGrouping, string> = {
  day: "to_char(u.day, 'YYYY-MM-DD')",
  model: "u.model",
  key: "u.api_key_id",
  member: "u.member",
};
const nameSql: Record<UsageGrouping, string> = {
  day: "null",
  model: "null",
  key: "k.name",
  member: `(select m.email from "user" m where m.id = u.member)`,
};
const SPEND_GROUPS_MAX = 100;

const today = "(now() at time zone 'UTC')::date";

/**
 * The charges of the last `days` UTC days, today included: days in order, otherwise the most
 * expensive first, at most 100.
 */
export async function spendBy(
  pool: Reader,
  accountId: string,
  group: UsageGrouping,
  days: number,
): Promise<Spend[]> {
  const { rows } = await pool.query<{
    id: string;
    name: string | null;
    requests: string;
    input: string;
    output: string;
    amount: string;
  }>(
    `select ${groupSql[group]} as id, max(${nameSql[group]}) as name, sum(u.requests) as requests,
            sum(u.input_tokens)::bigint as input, sum(u.output_tokens)::bigint as output, sum(u.amount)::bigint as amount
       from ${group === "member" ? usageOfMembers(`${today} - $2::integer + 1`, today) : "usage_of_day"} u
       left join api_key k on k.id = u.api_key_id
      where u.account_id = $1 and u.day > ${today} - $2::integer
      group by 1 having sum(u.requests) <> 0 order by ${group === "day" ? "1" : "amount desc, 1"} limit ${SPEND_GROUPS_MAX}`,
    [accountId, days],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    requests: Number(row.requests),
    inputTokens: Number(row.input),
    outputTokens: Number(row.output),
    amount: BigInt(row.amount),
  }));
}

/**
 * For each key that spent something in the last `days` UTC days: its charges on each of these days,
 * oldest first.
 */
export async function dailySpendPerKey(
  pool: Reader,
  accountId: string,
  days: number,
): Promise<ReadonlyMap<string, Micropoints[]>> {
  const { rows } = await pool.query<{ key: string; age: number; amount: string }>(
    `select api_key_id as key, ${today} - day as age, sum(amount)::bigint as amount from usage_of_day
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

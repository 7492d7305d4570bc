import type { Reader } from "../db/pool";
import type { Micropoints } from "../points";

/** What each member spent within the last days: by keys of the member, and in the playground. */
export async function spendPerMember(
  pool: Reader,
  accountId: string,
  days: number,
): Promise<ReadonlyMap<string, Micropoints>> {
  const { rows } = await pool.query<{ maker: string; amount: string }>(
    `select k.created_by as maker, sum(d.amount)::text as amount
       from usage_day d join api_key k on k.id = d.api_key_id
      where d.account_id = $1 and d.day > (now() at time zone 'UTC')::date - $2::integer and k.created_by is not null
      group by 1`,
    [accountId, days],
  );
  return new Map(rows.map(({ maker, amount }) => [maker, BigInt(amount)]));
}

import type { Reader } from "../db/pool";
import type { Micropoints } from "../money/points";

/** SQL: the email address of whoever made the request `r` with the key `k`, or in the playground. */
export const makerEmail = `(select u.email from "user" u where u.id = coalesce(k.created_by,
  (select p.user_id from playground_operation p where p.operation_id = r.id)))`;

/** The members' playground has no sums of its own: it is as much as people order by hand. */
const spent = `
select maker, sum(amount)::text as amount from (
  select k.created_by as maker, d.amount from usage_of_day d join api_key k on k.id = d.api_key_id
   where d.account_id = $1 and d.day > (now() at time zone 'UTC')::date - $2::integer
  union all
  select p.user_id, r.amount from playground_operation p join request r on r.id = p.operation_id
   where p.account_id = $1 and (r.ended_at at time zone 'UTC')::date > (now() at time zone 'UTC')::date - $2::integer
     and p.created_at > now() - make_interval(days => $2::integer + 7)
) each where maker is not null group by 1`;

/**
 * What each member spent on the last days (UTC, with today), as far as it is charged: by the
 * member's keys, and in the playground.
 */
export async function spendPerMember(
  pool: Reader,
  accountId: string,
  days: number,
): Promise<ReadonlyMap<string, Micropoints>> {
  const { rows } = await pool.query<{ maker: string; amount: string }>(spent, [accountId, days]);
  return new Map(rows.map(({ maker, amount }) => [maker, BigInt(amount)]));
}

/**
 * SQL: the rows of `usage_of_day` of the account `$1` from one day to another (UTC), with their
 * `member`: the maker of the key, or whoever used the playground; empty where nobody is known. The
 * playground of all members is one row of a day, so what a member's notes name is added to the
 * member, and taken off what is nobody's.
 */
export function usageOfMembers(from: string, to: string): string {
  const counted = "requests, input_tokens, output_tokens, amount";
  const noted = `
    select r.account_id, r.model, (r.ended_at at time zone 'UTC')::date as day, p.user_id as member,
           1 as requests, r.input_tokens, r.output_tokens, r.amount
      from playground_operation p join request r on r.id = p.operation_id and r.api_key_id is null and r.outcome = 'settled'
     where p.account_id = $1 and r.account_id = $1 and p.created_at > (${from})::timestamp - interval '7 days'
       and (r.ended_at at time zone 'UTC')::date between ${from} and ${to}`;
  return `(
    with noted as materialized (${noted})
    select d.account_id, d.api_key_id, d.model, d.day, coalesce(k.created_by, '') as member, ${counted}
      from usage_of_day d left join api_key k on k.id = d.api_key_id
     where d.account_id = $1 and d.day between ${from} and ${to}
    union all select account_id, '', model, day, member, ${counted} from noted
    union all select account_id, '', model, day, '', -requests, -input_tokens, -output_tokens, -amount from noted)`;
}

/**
 * SQL: the rows of `usage_day` of the account `$1` from one day to another (UTC), with their
 * `member`: the maker of the key, or whoever used the playground; empty where nobody is known. The
 * playground of all members is one row of a day, so what a member's notes name is added to the
 * member, and taken off what is nobody's.
 */
export function usageOfMembers(from: string, to: string): string {
  const counted = "requests, input_tokens, output_tokens, amount";
  const noted = `
    select s.account_id, o.model, (s.created_at at time zone 'UTC')::date as day, p.user_id as member,
           1 as requests, s.input_tokens, s.output_tokens, s.amount
      from playground_operation p join operation o on o.id = p.operation_id and o.api_key_id is null
      join settlement s on s.operation_id = o.id and s.outcome = 'settled'
     where p.account_id = $1 and s.account_id = $1 and p.created_at > (${from})::timestamp - interval '7 days'
       and (s.created_at at time zone 'UTC')::date between ${from} and ${to}`;
  return `(
    with noted as materialized (${noted})
    select d.account_id, d.api_key_id, d.model, d.day, coalesce(k.created_by, '') as member, ${counted}
      from usage_day d left join api_key k on k.id = d.api_key_id
     where d.account_id = $1 and d.day between ${from} and ${to}
    union all select account_id, '', model, day, member, ${counted} from noted
    union all select account_id, '', model, day, '', -requests, -input_tokens, -output_tokens, -amount from noted)`;
}

/** The queries of stored responses, `s`, for one who may read them. */
import { readableBy } from "../db/order-readers";

export const order = {
  accountId: "s.account_id",
  apiKeyId: "s.api_key_id",
  userId: "s.user_id",
  model: "s.model",
} as const;

/** `$1`: the account, `$2`: days, `$3` to `$6`: who reads. */
export const living = `s.account_id = $1 and s.created_at > now() - make_interval(days => $2) and ${readableBy(order, 3)}`;
export const withKey = "stored_response s join response_account a using (account_id)";

/** `$7`: the last response, `$8`: the most responses, `$9`: the most bytes. */
export const chainQuery = `
with recursive chain as (
  select s.id, s.previous_id, 1 as place, (octet_length(s.input) + octet_length(s.output))::bigint as total
    from stored_response s where s.id = $7 and ${living}
  union all
  select s.id, s.previous_id, c.place + 1, c.total + octet_length(s.input) + octet_length(s.output)
    from chain c join stored_response s on s.id = c.previous_id and ${living}
   where c.place < $8 and c.total <= $9
), oldest as (select total from chain order by place desc limit 1)
select s.id, c.previous_id as "previousId", c.place, oldest.total > $9 as "isLong", case when oldest.total <= $9 then s.input end as input,
       case when oldest.total <= $9 then s.output else '' end as output, null as response, a.sealed_key as key
  from chain c cross join oldest join stored_response s on s.id = c.id join response_account a using (account_id) order by c.place desc`;

/** `$7`: the responses, `$8`: those of them whose input is needed. */
export const neededSizeQuery = `
select coalesce(sum(octet_length(s.output) + case when s.id = any($8) then octet_length(s.input) else 0 end), 0)::float8 as bytes
  from stored_response s where s.id = any($7) and ${living}`;
export const neededQuery = `
select s.id, case when s.id = any($8) then s.input end as input, s.output, null as response, a.sealed_key as key
  from ${withKey} where s.id = any($7) and ${living}`;

const ordered = {
  accountId: "r.account_id",
  apiKeyId: "r.api_key_id",
  userId: "(select o.user_id from playground_operation o where o.operation_id = r.id)",
  model: "r.model",
} as const;

/** `$7`: the operation. */
export const orderQuery = `
select r.outcome, r.reason, r.model, r.created_at as "createdAt" from request_known r
 where r.id = $7::uuid and r.account_id = $1 and r.dialect = 'responses' and r.created_at > now() - make_interval(days => $2)
   and ${readableBy(ordered, 3)}`;

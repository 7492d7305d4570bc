import { upcoming } from "../price-book/price-schedule";
import { digestOf } from "./digest";

/**
 * SQL: prices that begin within 30 days and change something, of models that the account used in the
 * last 30 and may still see. `$1`: accounts.
 */
export const findPriceChanges = `
  with coming as materialized (
    select id, model, effective_at from (${upcoming}) u where effective_at < now() + interval '30 days' order by effective_at limit 200
  ), due as (
    select distinct u.account_id, c.id, c.model, c.effective_at, 'price_change:' || c.id as subject
      from coming c join usage_of_day u on u.model = c.model
     where u.account_id = any($1) and u.day > (now() at time zone 'UTC')::date - 30
       and not exists (select from account a join account_group g on g.id = a.group_id
                        where a.id = u.account_id and g.models <> '{}' and not (c.model = any(g.models)))
  ), first as (
    insert into notification_told (account_id, subject, until) select account_id, subject, effective_at from due
      on conflict do nothing returning account_id, subject
  ), found as (
    select d.account_id, d.effective_at as place,
           jsonb_build_object('id', d.id::text, 'model', d.model, 'effective_at', to_char(d.effective_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as item
      from due d join first f on f.account_id = d.account_id and f.subject = d.subject
  )${digestOf("price_change", "models")}`;

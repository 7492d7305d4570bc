import { digestOf } from "./digest";

/**
 * SQL: the budgets of keys that were used to 80 or 100 %. `$1`: accounts. Once for each level and
 * window; a lifetime is armed again when its budget is raised. From 99.5 % on, a budget counts as
 * used up: what is left admits hardly any request.
 */
export const findUsedBudgets = `
  with budgets as materialized (
    select b.account_id, b.api_key_id, k.name, b.kind, b.spent, b.budget, b.ends_at, 'key_budget:' || b.api_key_id || ':' || b.kind as subject,
           coalesce(extract(epoch from b.starts_at)::text, '') as stamp,
           case when b.spent * 1000 >= b.budget * 995 then 100 when b.spent * 10 >= b.budget * 8 then 80 else 0 end as level
      from api_key k join api_key_budget b on b.api_key_id = k.id
     where k.account_id = any($1) and k.revoked_at is null and b.kind in ('lifetime', 'day', 'week', 'month')
       and b.budget > 0 and (b.ends_at is null or b.ends_at > now())
  ), lowered as (
    update notification_told t set level = b.level from budgets b
     where t.account_id = b.account_id and t.subject = b.subject and t.stamp = b.stamp and t.level > b.level
  ), reached as (
    insert into notification_told (account_id, subject, stamp, level, until)
      select b.account_id, b.subject, b.stamp, b.level, b.ends_at from budgets b
       where b.level > 0 and not exists (select from notification_told t
         where t.account_id = b.account_id and t.subject = b.subject and t.stamp = b.stamp and t.level >= b.level)
      on conflict (account_id, subject) do update set stamp = excluded.stamp, level = excluded.level, until = excluded.until
        where notification_told.stamp <> excluded.stamp or notification_told.level < excluded.level
      returning account_id, subject
  ), found as (
    select b.account_id, b.api_key_id as place, jsonb_build_object('id', b.api_key_id, 'name', b.name, 'limit', b.kind, 'percent', b.level,
             'spent_points', trim_scale(b.spent::numeric / 1000000)::text, 'budget_points', trim_scale(b.budget::numeric / 1000000)::text) as item
      from budgets b join reached r on r.account_id = b.account_id and r.subject = b.subject
  )${digestOf("key_budget", "keys")}`;

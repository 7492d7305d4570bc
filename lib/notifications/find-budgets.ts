import { digestOf } from "./digest";

/** From 99.5 % on, a budget counts as used up: what is left admits hardly any request. */
const columns = (subject: string) => `
    b.spent, b.budget, b.ends_at, ${subject} as subject, coalesce(extract(epoch from b.starts_at)::text, '') as stamp,
    case when b.spent * 1000 >= b.budget * 995 then 100 when b.spent * 10 >= b.budget * 8 then 80 else 0 end as level`;

/** The rows of `budgets` that were not yet told at this level in this window, as `reached`. */
const reachedBudgets = `
  lowered as (
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
  )`;

/** The members that all items of budgets have. */
const used = `'limit', b.kind, 'percent', b.level, 'spent_points', trim_scale(b.spent::numeric / 1000000)::text,
             'budget_points', trim_scale(b.budget::numeric / 1000000)::text`;

/**
 * SQL: the budgets of keys that were used to 80 or 100 %. `$1`: accounts. Once for each level and
 * window; a lifetime is armed again when its budget is raised.
 */
export const findUsedKeyBudgets = `
  with budgets as materialized (
    select b.account_id, b.api_key_id, k.name, b.kind, ${columns("'key_budget:' || b.api_key_id || ':' || b.kind")}
      from api_key k join api_key_budget b on b.api_key_id = k.id
     where k.account_id = any($1) and k.revoked_at is null and b.kind in ('lifetime', 'day', 'week', 'month')
       and b.budget > 0 and (b.ends_at is null or b.ends_at > now())
  ), ${reachedBudgets}, found as (
    select b.account_id, b.api_key_id as place, jsonb_build_object('id', b.api_key_id, 'name', b.name, ${used}) as item
      from budgets b join reached r on r.account_id = b.account_id and r.subject = b.subject
  )${digestOf("key_budget", "keys")}`;

/** SQL: the same for the budgets of members, for those who manage members and for each member. */
export const findUsedMemberBudgets = `
  with budgets as materialized (
    select b.account_id, b.user_id, u.email, b.kind, ${columns("'member_budget:' || b.user_id || ':' || b.kind")}
      from member_budget b join "user" u on u.id = b.user_id
     where b.account_id = any($1) and b.budget > 0 and b.ends_at > now()
  ), ${reachedBudgets}, found as (
    select b.account_id, b.user_id, b.email || ' ' || b.kind as place, b.ends_at,
           jsonb_build_object('id', b.user_id, 'email', b.email, ${used}) as item
      from budgets b join reached r on r.account_id = b.account_id and r.subject = b.subject
  ), own as (
    insert into notification (account_id, user_id, kind, dedupe_key, data)
      select f.account_id, f.user_id, 'own_budget', 'own_budget:' || f.account_id || ':' || f.user_id || ':' || (f.item ->> 'limit') || ':' || extract(epoch from now()),
             f.item || jsonb_build_object('renews_at', to_char(f.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        from found f
      on conflict (dedupe_key) do nothing
  )${digestOf("member_budget", "members")}`;

/** SQL: the same for the budgets of tags, for those who read usage. */
export const findUsedTagBudgets = `
  with budgets as materialized (
    select b.account_id, b.name || '=' || b.value as tag, b.kind, ${columns("'tag_budget:' || md5(b.name || '=' || b.value) || ':' || b.kind")}
      from tag_budget b where b.account_id = any($1) and b.budget > 0 and b.ends_at > now()
  ), ${reachedBudgets}, found as (
    select b.account_id, b.tag || ' ' || b.kind as place, jsonb_build_object('tag', b.tag, ${used}) as item
      from budgets b join reached r on r.account_id = b.account_id and r.subject = b.subject
  )${digestOf("tag_budget", "tags")}`;

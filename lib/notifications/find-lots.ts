import { digestOf } from "./digest";

/**
 * SQL: the points that end within three days, of those that were given for a week or longer. Not of
 * a plan whose points all go on. `$1`: accounts.
 */
export const findEndingPoints = `
  with due as (
    select l.id, l.account_id, l.left_now, l.ends_at, e.reason, 'points_ending:' || l.id || ':' || extract(epoch from l.ends_at) as subject
      from point_lot_now l join ledger_entry e on e.id = l.entry_id
     where l.account_id = any($1) and l.left_now > 0 and l.ends_at > now() and l.ends_at < now() + interval '3 days'
       and l.ends_at - e.created_at >= interval '7 days'
       and not exists (select from account_plan a join plan p on p.id = a.plan_id
                        where a.id = l.source and a.status = 'active' and not a.ends_with_period and p.rollover_ppm = 1000000)
  ), first as (
    insert into notification_told (account_id, subject, until) select account_id, subject, ends_at from due
      on conflict do nothing returning account_id, subject
  ), found as (
    select d.account_id, d.ends_at as place,
           jsonb_build_object('lot', d.id::text, 'reason', d.reason, 'left_points', trim_scale(d.left_now::numeric / 1000000)::text,
                              'ends_at', to_char(d.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as item
      from due d join first f on f.account_id = d.account_id and f.subject = d.subject
  )${digestOf("points_ending", "lots")}`;

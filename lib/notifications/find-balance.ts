/** SQL: the balances that fell below what their owners want to be told of. `$1`: accounts. */

/**
 * The balance is low below the account's points, or if it lasts for fewer days at the rate of the
 * last seven. Told once; again only after it rose to a fifth above that.
 */
export const findLowBalances = `
  with rated as materialized (
    select a.id, w.credits_posted - w.debits_posted - w.debits_pending as available, coalesce(a.low_balance_notice, 0)::numeric as points,
           a.low_balance_days as days, coalesce(u.daily, 0) as daily
      from account a join wallet w on w.account_id = a.id
      left join (select account_id, sum(amount)::numeric / 7 as daily from usage_of_day
                  where account_id = any($1) and day > (now() at time zone 'UTC')::date - 7 group by 1) u on u.account_id = a.id
     where a.id = any($1) and a.status = 'active'
  ), bounded as (
    select *, trunc(greatest(points, coalesce(days, 0) * daily)) as least from rated
  ), over as (
    delete from notification_told t using bounded b
     where t.account_id = b.id and t.subject = 'balance_low' and b.available >= b.least * 1.2
  ), crossed as (
    insert into notification_told (account_id, subject) select id, 'balance_low' from bounded where available < least
      on conflict do nothing returning account_id
  )
  insert into notification (account_id, kind, dedupe_key, data)
    select b.id, 'balance_low', 'balance_low:' || b.id || ':' || extract(epoch from now()),
           jsonb_build_object('available_points', trim_scale(b.available::numeric / 1000000)::text, 'below_points', trim_scale(b.least / 1000000)::text,
                              'days_left', case when b.daily > 0 then trunc(greatest(b.available, 0) / b.daily, 1) end)
      from bounded b join crossed c on c.account_id = b.id
    on conflict (dedupe_key) do nothing`;

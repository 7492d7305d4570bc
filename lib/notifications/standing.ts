/**
 * Whether what a notification says is still so. What was told can be withdrawn or mended before it
 * is read: a price, a paused key, a low balance.
 */

const PPM = "1000000";
const amount = (column: string) => `trim_scale(${column}::numeric / ${PPM})::text`;

/** The items of a list for which `condition` holds, and all members beside the list; null without an item. */
const standingItems = (n: string, list: string, condition: string, item = "x.item") => `(
  select case when count(*) > 0 then ${n}.data || jsonb_build_object('${list}', jsonb_agg(${item} order by x.place)) end
    from jsonb_array_elements(${n}.data -> '${list}') with ordinality x(item, place) ${condition})`;

/**
 * The version that a price notice was about, if it was neither withdrawn nor replaced, with what it
 * changes. A withdrawal is a later version for the same time, with the price from before it. Notices
 * from before versions were named have no id.
 */
const standingPrices = `
  cross join lateral (
    select v.* from price_version v where v.model = x.item ->> 'model' and v.effective_at >= (x.item ->> 'effective_at')::timestamptz
       and v.effective_at < (x.item ->> 'effective_at')::timestamptz + interval '1 second' order by v.effective_at desc limit 1) v
  cross join lateral (
    select b.* from price_version b where b.model = v.model and b.effective_at < date_trunc('milliseconds', v.effective_at)
     order by b.effective_at desc limit 1) b
  where coalesce(x.item ->> 'id', v.id::text) = v.id::text
    and (v.input_price, v.output_price, v.other_rates) is distinct from (b.input_price, b.output_price, b.other_rates)`;

const pricesOf = (row: string) =>
  `jsonb_build_object('input_points', ${amount(`${row}.input_price`)}, 'output_points', ${amount(`${row}.output_price`)})`;

const pricedItem = `x.item || jsonb_build_object('from', ${pricesOf("b")}, 'to', ${pricesOf("v")}, 'other_rates', b.other_rates is distinct from v.other_rates)`;

const isUsed = "b.spent * 10 >= b.budget * 8 and (b.ends_at is null or b.ends_at > now())";

const standingTrouble = (n: string) => `(select ${n}.data from channel_watch w
    where w.channel_id = ${n}.data ->> 'channel' and w.credential = coalesce(${n}.data ->> 'credential', '') and w.down_since is not null)`;

/** SQL: `data` of the notification in the row `n` as it is now; null where nothing of it is so any more. */
export const standingData = (n: string): string => `case ${n}.kind
  when 'balance_low' then (select ${n}.data from wallet w where w.account_id = ${n}.account_id
    and w.credits_posted - w.debits_posted - w.debits_pending < (${n}.data ->> 'below_points')::numeric * ${PPM})
  when 'key_budget' then ${standingItems(
    n,
    "keys",
    `where exists (select from api_key k join api_key_budget b on b.api_key_id = k.id
      where k.id = x.item ->> 'id' and k.revoked_at is null and b.kind = x.item ->> 'limit' and ${isUsed})`,
  )}
  when 'member_budget' then ${standingItems(
    n,
    "members",
    `where exists (select from member_budget b where b.account_id = ${n}.account_id and b.user_id = x.item ->> 'id'
      and b.kind = x.item ->> 'limit' and ${isUsed})`,
  )}
  when 'tag_budget' then ${standingItems(
    n,
    "tags",
    `where exists (select from tag_budget b where b.account_id = ${n}.account_id and b.name || '=' || b.value = x.item ->> 'tag'
      and b.kind = x.item ->> 'limit' and ${isUsed})`,
  )}
  when 'own_budget' then (select ${n}.data from member_budget b where b.account_id = ${n}.account_id
    and b.user_id = ${n}.data ->> 'id' and b.kind = ${n}.data ->> 'limit' and ${isUsed})
  when 'key_paused' then ${standingItems(
    n,
    "keys",
    "where exists (select from api_key k where k.id = x.item ->> 'id' and k.paused_at is not null and k.revoked_at is null)",
  )}
  when 'key_expiring' then ${standingItems(
    n,
    "keys",
    `where exists (select from (select id, revoked_at, expires_at from api_key union all select id, revoked_at, expires_at from management_key) k
      where k.id = x.item ->> 'id' and k.revoked_at is null and k.expires_at > now()
        and date_trunc('second', k.expires_at) = (x.item ->> 'expires_at')::timestamptz)`,
  )}
  when 'points_ending' then ${standingItems(
    n,
    "lots",
    `where exists (select from point_lot_now l where l.id = (x.item ->> 'lot')::bigint and l.left_now > 0
      and date_trunc('second', l.ends_at) = (x.item ->> 'ends_at')::timestamptz)`,
  )}
  when 'topup_paused' then (select ${n}.data from auto_topup t where t.account_id = ${n}.account_id and t.paused = ${n}.data ->> 'reason')
  when 'plan_unpaid' then (select ${n}.data where ${n}.data ->> 'ends_at' is null
    or exists (select from account_plan p where p.id = ${n}.data ->> 'id' and p.failure is not null and p.status <> 'ended'))
  when 'price_change' then ${standingItems(n, "models", standingPrices, pricedItem)}
  when 'webhook_paused' then (select ${n}.data from webhook_endpoint e where e.id = ${n}.data ->> 'webhook' and e.paused_at is not null)
  when 'channel_down' then ${standingTrouble(n)}
  when 'credential_refused' then ${standingTrouble(n)}
  when 'upstream_low' then (select ${n}.data from upstream_balance b where b.channel_id = ${n}.data ->> 'channel'
    and b.credential = coalesce(${n}.data ->> 'credential', '') and b.low_since is not null)
  when 'upstream_balance' then ${standingTrouble(n)}
  else ${n}.data end`;

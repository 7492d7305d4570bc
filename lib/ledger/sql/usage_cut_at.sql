-- Makes the parts of one hour up to `cut`. Fewer requests than that are read as fast one by one,
-- and those of a month in files cannot be read.
create or replace function usage_cut_at(cut timestamptz) returns void language plpgsql as $$
declare began timestamptz := date_trunc('hour', cut, 'UTC');
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  if exists (select from ledger_archive_drop d
    where began >= d.month::timestamp at time zone 'UTC' - interval '1 hour'
    and began < (d.month + interval '1 month') at time zone 'UTC'
      + interval '1 hour') then return; end if;
  with busy as materialized (
    select w.account_id from wallet w cross join lateral (
      select sum(h.settled + h.released) as n from usage_hour h
        where h.account_id = w.account_id and h.hour = began offset 0) s
      where s.n >= 5
  ), marked as (insert into usage_cut (account_id, at) select account_id, cut from busy)
  insert into usage_part (account_id, at, api_key_id, model, dialect, family, settled, released,
    input_tokens, output_tokens, amount, latency, first_token)
    select r.account_id, cut, r.api_key_id, r.model, r.dialect, max(r.family), sum(r.settled),
      sum(r.released), sum(r.input_tokens), sum(r.output_tokens), sum(r.amount),
      usage_histogram(array_agg(r.latency)), usage_histogram(array_agg(r.first_token))
      from busy b cross join lateral (
        select * from usage_row o
          where o.account_id = b.account_id and o.created_at >= began and o.created_at < cut
          offset 0) r
      where r.id not in (select operation_id from usage_waiting)
      group by 1, 2, 3, 4, 5;
end
$$;

-- The sums also say how many requests failed by us or an upstream, by the hour, and how long requests took, by the day.

-- Nothing is counted meanwhile. While another transaction uses a table this gives up soon, and is tried again at the next start.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7340212);

alter table usage_total_hour add column failed bigint not null default 0;
alter table usage_total_hour add constraint usage_total_hour_failed check (failed between 0 and released);
alter table usage_total_day add column latency bigint[] not null default '{}', add column first_token bigint[] not null default '{}';

-- As before, with failures: releases whose reason is not the request's own, nor its client's.
create or replace view usage_row as
select o.id, o.account_id, o.created_at, date_trunc('hour', o.created_at, 'UTC') as hour, coalesce(o.api_key_id, '') as api_key_id, o.model,
       coalesce(o.dialect, '') as dialect, o.family, coalesce(s.channel_id, '') as channel_id, s.created_at as ended_at, s.is_followed,
       (s.outcome = 'settled')::int as settled, (s.outcome = 'released')::int as released,
       coalesce(s.input_tokens, 0) as input_tokens, coalesce(s.output_tokens, 0) as output_tokens, s.amount,
       case when s.outcome = 'settled' then 512 + floor(16 * ln(greatest(s.duration_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint end as latency,
       case when s.outcome = 'settled' and s.is_stream
         then 512 + floor(16 * ln(greatest(s.first_byte_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint end as first_token,
       (s.outcome = 'released' and coalesce(s.reason, '') not in ('content_rejected', 'audio_review_failed', 'client_gone', 'task_cancelled',
         'api_key_paused', 'invalid_value', 'unsupported_value'))::int as failed
  from operation o join settlement s on s.operation_id = o.id;

-- As before, with the failures of hours and the times of days. Called under the lock of its callers, so that sums have one writer.
create or replace function usage_count(ids uuid[]) returns void language plpgsql as $$
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  with r as materialized (select u.* from unnest(ids) i(id) join usage_row u on u.id = i.id),
  hours as (
    insert into usage_hour as h (account_id, hour, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount,
                                 latency, first_token)
      select account_id, hour, api_key_id, model, dialect, max(family), sum(settled), sum(released), sum(input_tokens), sum(output_tokens),
             sum(amount), usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
        from r group by 1, 2, 3, 4, 5
      on conflict (account_id, hour, api_key_id, model, dialect) do update set
        settled = h.settled + excluded.settled, released = h.released + excluded.released,
        input_tokens = h.input_tokens + excluded.input_tokens, output_tokens = h.output_tokens + excluded.output_tokens,
        amount = h.amount + excluded.amount, latency = usage_histogram(h.latency || excluded.latency),
        first_token = usage_histogram(h.first_token || excluded.first_token)
  ), total_hours as (
    insert into usage_total_hour as h (hour, model, channel_id, settled, released, failed, amount, latency)
      select hour, model, channel_id, sum(settled), sum(released), sum(failed), sum(amount), usage_histogram(array_agg(latency)) from r group by 1, 2, 3
      on conflict (hour, model, channel_id) do update set
        settled = h.settled + excluded.settled, released = h.released + excluded.released, failed = h.failed + excluded.failed,
        amount = h.amount + excluded.amount, latency = usage_histogram(h.latency || excluded.latency)
  )
  insert into usage_total_day as d (day, model, channel_id, settled, released, input_tokens, output_tokens, amount, latency, first_token)
    select (ended_at at time zone 'UTC')::date, model, channel_id, sum(settled), sum(released), sum(input_tokens), sum(output_tokens), sum(amount),
           usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
      from r group by 1, 2, 3
    on conflict (day, model, channel_id) do update set
      settled = d.settled + excluded.settled, released = d.released + excluded.released, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, amount = d.amount + excluded.amount,
      latency = usage_histogram(d.latency || excluded.latency), first_token = usage_histogram(d.first_token || excluded.first_token);
end $$;

-- Requests that were counted before. There are none where the sums themselves are new.
do $$
begin
  if not exists (select from usage_total_hour) then return; end if;
  update usage_total_hour h set failed = c.failed
    from (select r.hour, r.model, r.channel_id, count(*) as failed from usage_row r
           where r.failed = 1 and (r.is_followed or r.id >= (select below from usage_backfill))
             and not exists (select from usage_waiting w where w.operation_id = r.id) group by 1, 2, 3) c
    where (h.hour, h.model, h.channel_id) = (c.hour, c.model, c.channel_id);
  update usage_total_day d set latency = c.latency, first_token = c.first_token
    from (select (r.ended_at at time zone 'UTC')::date as day, r.model, r.channel_id, usage_histogram(array_agg(r.latency)) as latency,
                 usage_histogram(array_agg(r.first_token)) as first_token from usage_row r
           where (r.is_followed or r.id >= (select below from usage_backfill))
             and not exists (select from usage_waiting w where w.operation_id = r.id) group by 1, 2, 3) c
    where (d.day, d.model, d.channel_id) = (c.day, c.model, c.channel_id);
end $$;

alter table usage_total_hour alter column failed drop default;
alter table usage_total_day alter column latency drop default, alter column first_token drop default;

create trigger usage_total_hour_failed_only_grows before update on usage_total_hour for each row when (new.failed < old.failed)
  execute function ledger_refuse();

-- Sums of ended requests, so that no page reads every request of a year. The end of a request puts its id into usage_waiting in the same
-- transaction; usage_count_waiting moves ids from there into the sums in one transaction, so each request is counted exactly once
-- whatever dies. Requests that ended before this migration are counted by usage_count_earlier, piece by piece.

-- While another transaction uses the table, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';
lock table settlement in access exclusive mode;

-- Rows that are there now read as false; every later one is true, and has been put into usage_waiting. No row is rewritten.
alter table settlement add column is_followed boolean not null default false;
alter table settlement alter column is_followed set default true;

-- Ended requests that are in no sum yet. Read whole, and deleted by place, so it needs no index.
create table usage_waiting (
  operation_id uuid not null,
  account_id   text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Requests that ended before this migration are in the sums from this id on; all are when it is zero.
create table usage_backfill (
  only_row boolean primary key default true check (only_row),
  below    uuid not null
);
insert into usage_backfill (below) select case when exists (select from settlement)
  then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else '00000000-0000-0000-0000-000000000000' end::uuid;

-- By the hour (UTC) in which a request was made. api_key_id and dialect are '' where a request has none.
-- A histogram is a list of count × 512 + step, with about 4.4 % from step to step: usage_row has the formula.
create table usage_hour (
  account_id    text not null,
  hour          timestamptz not null,
  api_key_id    text not null,
  model         text not null,
  dialect       text not null,
  family        text not null,
  settled       bigint not null,
  released      bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  amount        bigint not null,
  latency       bigint[] not null,
  first_token   bigint[] not null,
  primary key (account_id, hour, api_key_id, model, dialect),
  constraint usage_hour_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0 and output_tokens >= 0 and amount >= 0),
  constraint usage_hour_whole check (extract(epoch from hour) % 3600 = 0)
) with (fillfactor = 70);

-- Over all accounts, for operators: by the hour (UTC) in which a request was made, and by the day (UTC) on which it ended. channel_id is ''
-- where no channel answered.
create table usage_total_hour (
  hour          timestamptz not null,
  model         text not null,
  channel_id    text not null,
  settled       bigint not null,
  released      bigint not null,
  amount        bigint not null,
  latency       bigint[] not null,
  primary key (hour, model, channel_id),
  constraint usage_total_hour_not_negative check (settled >= 0 and released >= 0 and amount >= 0),
  constraint usage_total_hour_whole check (extract(epoch from hour) % 3600 = 0)
) with (fillfactor = 70);

create table usage_total_day (
  day           date not null,
  model         text not null,
  channel_id    text not null,
  settled       bigint not null,
  released      bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  amount        bigint not null,
  primary key (day, model, channel_id),
  constraint usage_total_day_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0 and output_tokens >= 0 and amount >= 0)
) with (fillfactor = 70);

-- An ended request as it counts in every sum.
create view usage_row as
select o.id, o.account_id, o.created_at, date_trunc('hour', o.created_at, 'UTC') as hour, coalesce(o.api_key_id, '') as api_key_id, o.model,
       coalesce(o.dialect, '') as dialect, o.family, coalesce(s.channel_id, '') as channel_id, s.created_at as ended_at, s.is_followed,
       (s.outcome = 'settled')::int as settled, (s.outcome = 'released')::int as released,
       coalesce(s.input_tokens, 0) as input_tokens, coalesce(s.output_tokens, 0) as output_tokens, s.amount,
       case when s.outcome = 'settled' then 512 + floor(16 * ln(greatest(s.duration_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint end as latency,
       case when s.outcome = 'settled' and s.is_stream
         then 512 + floor(16 * ln(greatest(s.first_byte_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint end as first_token
  from operation o join settlement s on s.operation_id = o.id;

-- A histogram with one entry for each step. Most hours of an account have one request: those take the short way.
create function usage_histogram(entries bigint[]) returns bigint[] language plpgsql immutable parallel safe as $$
begin
  if cardinality(entries) < 2 then return array_remove(entries, null); end if;
  return (select coalesce(array_agg(n * 512 + step order by step), '{}')
            from (select e & 511 as step, sum(e >> 9)::bigint as n from unnest(entries) e where e is not null group by 1) steps);
end $$;

-- Adds ended requests to the sums. Called under the lock of its callers, so that sums have one writer.
create function usage_count(ids uuid[]) returns void language plpgsql as $$
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
    insert into usage_total_hour as h (hour, model, channel_id, settled, released, amount, latency)
      select hour, model, channel_id, sum(settled), sum(released), sum(amount), usage_histogram(array_agg(latency)) from r group by 1, 2, 3
      on conflict (hour, model, channel_id) do update set
        settled = h.settled + excluded.settled, released = h.released + excluded.released, amount = h.amount + excluded.amount,
        latency = usage_histogram(h.latency || excluded.latency)
  )
  insert into usage_total_day as d (day, model, channel_id, settled, released, input_tokens, output_tokens, amount)
    select (ended_at at time zone 'UTC')::date, model, channel_id, sum(settled), sum(released), sum(input_tokens), sum(output_tokens), sum(amount)
      from r group by 1, 2, 3
    on conflict (day, model, channel_id) do update set
      settled = d.settled + excluded.settled, released = d.released + excluded.released, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens, amount = d.amount + excluded.amount;
end $$;

-- Counts at most `most` waiting requests; answers how many, null while another process does so.
create function usage_count_waiting(most integer) returns integer language plpgsql as $$
declare taken uuid[];
begin
  if not pg_try_advisory_xact_lock(7340212) then return null; end if;
  with gone as (
    delete from usage_waiting where ctid = any(array(select ctid from usage_waiting limit most)) returning operation_id
  )
  select array_agg(operation_id) into taken from gone;
  if taken is null then return 0; end if;
  perform usage_count(taken);
  return cardinality(taken);
end $$;

-- Counts the next piece of the requests that ended before this migration, newest first. Answers how many rows it read, 0 when all are
-- counted, null while another process does so.
create function usage_count_earlier(most integer) returns integer language plpgsql as $$
declare
  known uuid;
  lowest uuid;
  read integer;
  earlier uuid[];
begin
  if not pg_try_advisory_xact_lock(7340212) then return null; end if;
  select below into known from usage_backfill where below > '00000000-0000-0000-0000-000000000000';
  if not found then return 0; end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  select count(*), (array_agg(operation_id order by operation_id))[1], array_agg(operation_id) filter (where not is_followed)
    into read, lowest, earlier
    from (select operation_id, is_followed from settlement where operation_id < known order by operation_id desc limit most) piece;
  if earlier is not null then perform usage_count(earlier); end if;
  update usage_backfill set below = case when read < most then '00000000-0000-0000-0000-000000000000' else lowest end;
  return read;
end $$;

-- As before, and the ids wait for the sums.
create or replace function settlement_ends() returns trigger language plpgsql as $$
declare taken bigint;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  if taken <> (select count(*) from ended) then
    raise exception 'settlement: no open operation with this account and hold' using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
  end if;
  insert into usage_waiting (operation_id, account_id) select operation_id, account_id from ended;
  return null;
end $$;

do $$
declare t text;
begin
  foreach t in array array['usage_waiting', 'usage_backfill', 'usage_hour', 'usage_total_hour', 'usage_total_day'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
  end loop;
  foreach t in array array['usage_backfill', 'usage_hour', 'usage_total_hour', 'usage_total_day'] loop
    execute format('create trigger %I before delete on %I for each statement execute function ledger_refuse()', t || '_no_delete', t);
  end loop;
end $$;
create trigger usage_backfill_only_falls before update on usage_backfill for each row when (new.below > old.below)
  execute function ledger_refuse();
create trigger usage_hour_only_grows before update on usage_hour for each row
  when (new.settled < old.settled or new.released < old.released or new.input_tokens < old.input_tokens
        or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();
create trigger usage_total_hour_only_grows before update on usage_total_hour for each row
  when (new.settled < old.settled or new.released < old.released or new.amount < old.amount)
  execute function ledger_refuse();
create trigger usage_total_day_only_grows before update on usage_total_day for each row
  when (new.settled < old.settled or new.released < old.released or new.input_tokens < old.input_tokens
        or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();

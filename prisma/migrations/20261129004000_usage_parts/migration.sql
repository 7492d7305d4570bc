-- Where the midnight of a time zone lies within an hour (UTC), as in India, the sums of the part before it are kept too, for accounts with
-- several requests in that hour. usage_cut_hours adds them when the hour is over, and usage_count adds what ends later.

-- Nothing is counted meanwhile.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7340212);

-- The sums of an account's requests from the hour's beginning to `at` are in usage_part.
create table usage_cut (
  account_id text not null,
  at         timestamptz not null,
  primary key (account_id, at),
  constraint usage_cut_within check (extract(epoch from at) % 3600 <> 0)
);

create table usage_part (
  account_id    text not null,
  at            timestamptz not null,
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
  primary key (account_id, at, api_key_id, model, dialect),
  constraint usage_part_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0 and output_tokens >= 0 and amount >= 0)
);

-- The last time for which parts were made, and the last one whose parts were audited.
create table usage_cut_head (
  only_row boolean primary key default true check (only_row),
  at       timestamptz not null,
  audited  timestamptz not null,
  constraint usage_cut_head_audited check (audited <= at)
);
insert into usage_cut_head (at, audited) values ('-infinity', '-infinity');

do $$
declare t text;
begin
  foreach t in array array['usage_cut', 'usage_part'] loop
    execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
                                        autovacuum_analyze_scale_factor = 0.02)', t);
  end loop;
  foreach t in array array['usage_cut', 'usage_part', 'usage_cut_head'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
    execute format('create trigger %I before delete on %I for each statement execute function ledger_refuse()', t || '_no_delete', t);
  end loop;
end $$;
create trigger usage_cut_fixed before update on usage_cut for each statement execute function ledger_refuse();
create trigger usage_part_only_grows before update on usage_part for each row
  when (new.settled < old.settled or new.released < old.released or new.input_tokens < old.input_tokens
        or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();
create trigger usage_cut_head_only_grows before update on usage_cut_head for each row when (new.at < old.at or new.audited < old.audited)
  execute function ledger_refuse();

-- As before, and adds to the parts that are kept. Called under the lock of its callers, so that sums have one writer.
create or replace function usage_count(ids uuid[]) returns void language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
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
  ), parts as (
    insert into usage_part as p (account_id, at, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount,
                                 latency, first_token)
      select r.account_id, c.at, api_key_id, model, dialect, max(family), sum(settled), sum(released), sum(input_tokens), sum(output_tokens),
             sum(amount), usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
        from r join usage_cut c on c.account_id = r.account_id and c.at > r.created_at and c.at < r.hour + interval '1 hour'
       group by 1, 2, 3, 4, 5
      on conflict (account_id, at, api_key_id, model, dialect) do update set
        settled = p.settled + excluded.settled, released = p.released + excluded.released,
        input_tokens = p.input_tokens + excluded.input_tokens, output_tokens = p.output_tokens + excluded.output_tokens,
        amount = p.amount + excluded.amount, latency = usage_histogram(p.latency || excluded.latency),
        first_token = usage_histogram(p.first_token || excluded.first_token)
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

-- The minutes of a day (UTC) at which a time zone has midnight within an hour: Newfoundland, the Marquesas, Chatham, central Australia and
-- Lord Howe, Eucla, Myanmar, Nepal, India, Afghanistan and Iran, in summer and in winter.
create function usage_cut_minutes() returns integer[] language sql immutable parallel safe as $$
  select array[150, 210, 570, 615, 675, 810, 870, 915, 1050, 1095, 1110, 1170, 1230]
$$;

-- Makes the parts of one hour up to `cut`. Fewer requests than that are read as fast one by one, and those of a month in files cannot be read.
create function usage_cut_at(cut timestamptz) returns void language plpgsql as $$
declare began timestamptz := date_trunc('hour', cut, 'UTC');
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  if exists (select from ledger_archive_drop d where began >= d.month::timestamp at time zone 'UTC' - interval '1 hour'
                and began < (d.month + interval '1 month') at time zone 'UTC' + interval '1 hour') then return; end if;
  with busy as materialized (
    select w.account_id from wallet w cross join lateral (
      select sum(h.settled + h.released) as n from usage_hour h where h.account_id = w.account_id and h.hour = began offset 0) s
     where s.n >= 5
  ), marked as (insert into usage_cut (account_id, at) select account_id, cut from busy)
  insert into usage_part (account_id, at, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount, latency, first_token)
    select r.account_id, cut, r.api_key_id, r.model, r.dialect, max(r.family), sum(r.settled), sum(r.released), sum(r.input_tokens),
           sum(r.output_tokens), sum(r.amount), usage_histogram(array_agg(r.latency)), usage_histogram(array_agg(r.first_token))
      from busy b cross join lateral (
        select * from usage_row o where o.account_id = b.account_id and o.created_at >= began and o.created_at < cut offset 0) r
     where r.id not in (select operation_id from usage_waiting)
     group by 1, 2, 3, 4, 5;
end $$;

-- Makes the parts of the next hours that are over. Answers whether more are left; false too while another process counts, and while
-- many requests wait.
create function usage_cut_hours() returns boolean language plpgsql as $$
declare
  known timestamptz;
  cut timestamptz;
begin
  if not pg_try_advisory_xact_lock(7340212) then return false; end if;
  if (select below from usage_backfill) > '00000000-0000-0000-0000-000000000000' then return false; end if;
  if (select count(*) from (select from usage_waiting limit 20001) w) > 20000 then return false; end if;
  select at into known from usage_cut_head;
  if known = '-infinity' then select min(hour) into known from usage_total_hour; end if;
  loop
    select min(at) into cut from (select date_trunc('day', known, 'UTC') + n * interval '1 day' + minute * interval '1 minute' as at
                                    from generate_series(0, 1) n, unnest(usage_cut_minutes()) minute) c where at > known;
    if cut is null or date_trunc('hour', cut, 'UTC') + interval '65 minutes' > now() then return false; end if;
    -- No month is dropped from here on, so that the next statement sees whether one was.
    lock table operation, settlement in access share mode;
    perform usage_cut_at(cut);
    update usage_cut_head set at = cut;
    known := cut;
    if clock_timestamp() > now() + interval '0.3 seconds' then return true; end if;
  end loop;
end $$;

-- Notes up to which time the audit has compared the parts with the requests.
create function usage_cut_audited(moment timestamptz) returns void language plpgsql as $$
begin
  update usage_cut_head set audited = moment where audited < moment and moment <= at;
end $$;

-- Sums of four hours (UTC) for accounts with many sums of hours, so that a year of them is read as fast as one of a small account.
-- usage_make_blocks adds up the sums of the hours when they are over, and usage_count adds what ends later.

-- Nothing is counted meanwhile.
set local lock_timeout = '5s';
select pg_advisory_xact_lock(7340212);

-- The beginning of the block of a time: four hours from a midnight (UTC), or from 4, 8, 12, 16 or 20 o'clock.
create function usage_block_of(moment timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('4 hours', moment, '2000-01-01 00:00:00+00')
$$;

-- The sums of an account's requests in the four hours from `at` on are in usage_block.
create table usage_block_mark (
  account_id text not null,
  at         timestamptz not null,
  primary key (account_id, at),
  constraint usage_block_mark_whole check (extract(epoch from at) % 14400 = 0)
);

create table usage_block (
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
  constraint usage_block_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0 and output_tokens >= 0 and amount >= 0)
);

-- The beginning of the last block that was made, and of the last one that was audited.
create table usage_block_head (
  only_row boolean primary key default true check (only_row),
  at       timestamptz not null,
  audited  timestamptz not null,
  constraint usage_block_head_audited check (audited <= at)
);
insert into usage_block_head (at, audited) values ('-infinity', '-infinity');

do $$
declare t text;
begin
  foreach t in array array['usage_block_mark', 'usage_block'] loop
    execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
                                        autovacuum_analyze_scale_factor = 0.02)', t);
  end loop;
  foreach t in array array['usage_block_mark', 'usage_block', 'usage_block_head'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
    execute format('create trigger %I before delete on %I for each statement execute function ledger_refuse()', t || '_no_delete', t);
  end loop;
end $$;
create trigger usage_block_mark_fixed before update on usage_block_mark for each statement execute function ledger_refuse();
create trigger usage_block_only_grows before update on usage_block for each row
  when (new.settled < old.settled or new.released < old.released or new.input_tokens < old.input_tokens
        or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();
create trigger usage_block_head_only_grows before update on usage_block_head for each row when (new.at < old.at or new.audited < old.audited)
  execute function ledger_refuse();

-- As before, and adds to the blocks that are kept. Called under the lock of its callers, so that sums have one writer.
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
  ), blocks as (
    insert into usage_block as b (account_id, at, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount,
                                  latency, first_token)
      select r.account_id, m.at, api_key_id, model, dialect, max(family), sum(settled), sum(released), sum(input_tokens), sum(output_tokens),
             sum(amount), usage_histogram(array_agg(latency)), usage_histogram(array_agg(first_token))
        from r join usage_block_mark m on m.account_id = r.account_id and m.at = usage_block_of(r.hour)
       group by 1, 2, 3, 4, 5
      on conflict (account_id, at, api_key_id, model, dialect) do update set
        settled = b.settled + excluded.settled, released = b.released + excluded.released,
        input_tokens = b.input_tokens + excluded.input_tokens, output_tokens = b.output_tokens + excluded.output_tokens,
        amount = b.amount + excluded.amount, latency = usage_histogram(b.latency || excluded.latency),
        first_token = usage_histogram(b.first_token || excluded.first_token)
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

-- The entries of some histograms together.
create aggregate usage_entries(bigint[]) (sfunc = array_cat, stype = bigint[], initcond = '{}');

-- Makes the block from `block` on, for accounts with at least 20 sums of hours in it: fewer are read as fast one by one.
create function usage_block_at(block timestamptz) returns void language plpgsql as $$
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  with busy as materialized (
    select w.account_id from wallet w cross join lateral (
      select count(*) as n from usage_hour h where h.account_id = w.account_id and h.hour >= block and h.hour < block + interval '4 hours' offset 0) s
     where s.n >= 20
  ), marked as (insert into usage_block_mark (account_id, at) select account_id, block from busy)
  insert into usage_block (account_id, at, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount, latency, first_token)
    select h.account_id, block, h.api_key_id, h.model, h.dialect, max(h.family), sum(h.settled), sum(h.released), sum(h.input_tokens),
           sum(h.output_tokens), sum(h.amount), usage_histogram(usage_entries(h.latency)), usage_histogram(usage_entries(h.first_token))
      from busy b cross join lateral (
        select * from usage_hour h where h.account_id = b.account_id and h.hour >= block and h.hour < block + interval '4 hours' offset 0) h
     group by 1, 2, 3, 4, 5;
end $$;

-- Makes the next blocks that are over. Answers whether more are left; false too while another process counts, and while many requests wait.
create function usage_make_blocks() returns boolean language plpgsql as $$
declare
  known timestamptz;
  made  bigint;
begin
  if not pg_try_advisory_xact_lock(7340212) then return false; end if;
  if (select below from usage_backfill) > '00000000-0000-0000-0000-000000000000' then return false; end if;
  if (select count(*) from (select from usage_waiting limit 20001) w) > 20000 then return false; end if;
  select at into known from usage_block_head;
  if known = '-infinity' then select usage_block_of(min(hour)) - interval '4 hours' into known from usage_total_hour; end if;
  loop
    known := known + interval '4 hours';
    if known is null or known + interval '4 hours 5 minutes' > now() then return false; end if;
    select sum(settled + released) into made from usage_total_hour where hour >= known and hour < known + interval '4 hours';
    if made >= 20 then perform usage_block_at(known); end if;
    update usage_block_head set at = known;
    if clock_timestamp() > now() + interval '0.3 seconds' then return true; end if;
  end loop;
end $$;

-- Notes up to which block the audit has compared them with the sums of their hours.
create function usage_blocks_audited(moment timestamptz) returns void language plpgsql as $$
begin
  update usage_block_head set audited = moment where audited < moment and moment <= at;
end $$;

-- Takes archived months out of the tables: the partition of a month is dropped, and that is noted, in one transaction.

-- The partition with the ids of a month and no others; null when the month shares one.
create function ledger_month_partition(parent text, month date) returns text language sql stable as $$
  select p.name from ledger_partitions(parent) p
   where p.starts = ledger_archive_starts(month) and p.below = ledger_archive_starts((month + interval '1 month')::date)
$$;

-- Why an archived month cannot be dropped now; null when it can. Whether it has a partition of its own is not asked.
create function ledger_archive_drop_refusal(month date) returns text language plpgsql stable as $$
declare
  starts uuid := ledger_archive_starts(month);
  below uuid := ledger_archive_starts((month + interval '1 month')::date);
begin
  if not exists (select from ledger_archive a where a.month = ledger_archive_drop_refusal.month) then return 'the month is not archived'; end if;
  if exists (select from ledger_archive_drop d where d.month = ledger_archive_drop_refusal.month) then return 'the month was dropped before'; end if;
  -- Until they are in the sums, lists and charts read the rows.
  if exists (select from usage_waiting w where w.operation_id >= starts and w.operation_id < below)
     or (select b.below from usage_backfill b) > starts then return 'a request is not in the sums'; end if;
  -- The sums of hours are compared with the requests that have ids of about that time.
  if exists (select from ledger_apart a where a.operation_id >= starts and a.operation_id < below
                and (a.created_at < month::timestamp at time zone 'UTC' - interval '5 minutes'
                  or a.created_at >= (month + interval '1 month') at time zone 'UTC' + interval '5 minutes')) then
    return 'a request has an id of another month';
  end if;
  return null;
end $$;

create or replace function ledger_archive_note_drop(month date) returns void language plpgsql as $$
declare
  refusal text;
  d ledger_archive_drop;
  last ledger_archive_drop;
begin
  lock table ledger_archive_drop in share row exclusive mode;
  refusal := ledger_archive_drop_refusal(month);
  if refusal is not null then raise exception 'ledger_archive_drop: %', refusal using errcode = 'check_violation'; end if;
  d.month := month;
  d.starts := ledger_archive_starts(month);
  d.below := ledger_archive_starts((month + interval '1 month')::date);
  select a.hash into d.archive_hash from ledger_archive a where a.month = ledger_archive_note_drop.month;
  if exists (select from operation o where o.id >= d.starts and o.id < d.below)
     or exists (select from settlement s where s.operation_id >= d.starts and s.operation_id < d.below) then
    raise exception 'ledger_archive_drop: the month has rows' using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive_drop x order by x.number desc limit 1;
  d.number := coalesce(last.number, 0) + 1;
  d.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  d.hash := sha256(d.previous_hash || record_send(row(d.month, d.number, d.starts, d.below, d.archive_hash)));
  d.dropped_at := clock_timestamp();
  insert into ledger_archive_drop select d.*;
end $$;

-- Drops the partitions of a month and notes it. Only the owner may call it, and only `lib/archive/drop-month.ts` does: whether the files have
-- every row is what the database cannot see.
create function ledger_archive_take_out(month date) returns void language plpgsql as $$
declare
  parent text;
  part text;
begin
  foreach parent in array array['settlement', 'operation'] loop
    part := ledger_month_partition(parent, month);
    if part is null then raise exception 'ledger_archive_drop: the month has no partition of its own' using errcode = 'check_violation'; end if;
    execute format('drop table public.%I', part);
  end loop;
  perform ledger_archive_note_drop(month);
end $$;

-- A request with an id of a dropped month would be one more in a month that is closed, or one that is in its file already. Ids without a
-- partition go to the default one; in a restored database those of older months go to the first one, whose other rows are not looked at.
create function ledger_refuse_dropped() returns trigger language plpgsql as $$
declare
  key uuid;
begin
  if tg_argv[0] = 'id' then key := new.id; else key := new.operation_id; end if;
  if exists (select from ledger_archive_drop d where key >= d.starts and key < d.below) then
    raise exception '%: the month of % is only in archived files', tg_table_name, key using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end $$;

do $$
declare
  bound uuid := ledger_first_id(now() - interval '3 months');
  parent text;
  key text;
begin
  for attempt in 1..600 loop
    begin
      perform set_config('lock_timeout', '100ms', true);
      lock table settlement_earlier, settlement_default, operation_earlier, operation_default in share row exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 600 then raise; end if;
      perform pg_sleep(0.1 + 0.2 * random());
    end;
  end loop;
  foreach parent in array array['settlement', 'operation'] loop
    key := case parent when 'operation' then 'id' else 'operation_id' end;
    execute format('create trigger %I after insert on %I for each row execute function ledger_refuse_dropped(%L)',
                   parent || '_default_not_dropped', parent || '_default', key);
    execute format('create trigger %I after insert on %I for each row when (new.%I < %L) execute function ledger_refuse_dropped(%L)',
                   parent || '_earlier_not_dropped', parent || '_earlier', key, bound, key);
  end loop;
end $$;

-- What a spool knows of a request of a dropped month, and the tables no longer do, is answered as unknown instead of being charged again.
do $migration$
declare
  definition text := pg_get_functiondef('ledger_apply_whole(text,text[],json)'::regprocedure);
  changes constant text[] := array[
    ['  last_id uuid;', '  last_id uuid;
  dropped_below uuid;'],
    ['  with w as materialized (', '  select coalesce((select d.below from ledger_archive_drop d order by d.below desc limit 1), first_id) into dropped_below;
  with w as materialized ('],
    ['left join wallet v on v.account_id = p.account
', 'left join wallet v on v.account_id = p.account and (p.id >= dropped_below
        or not exists (select from ledger_archive_drop d where p.id >= d.starts and p.id < d.below))
']];
begin
  for n in 1..array_length(changes, 1) loop
    if strpos(definition, changes[n][1]) = 0 then raise exception 'ledger_apply_whole() is not as the migrations made it'; end if;
    definition := replace(definition, changes[n][1], changes[n][2]);
  end loop;
  execute definition;
end $migration$;

-- operation and settlement become partitioned by ranges of the request's id, which begins with its time, and the tables that were there
-- their first partitions. No row is copied or read.

-- What a reference to an operation was until now: an operation is never changed or deleted, so it is enough to look when the row is written.
-- A foreign key would keep a month of requests from being archived.
create function operation_exists() returns trigger language plpgsql as $$
begin
  if not exists (select from operation where id = new.operation_id) then
    raise exception '%: there is no operation %', tg_table_name, new.operation_id using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end $$;

-- The partitions of a table with the ids in each; both null for the default one, `starts` null for the first.
create function ledger_partitions(parent text) returns table (name text, starts uuid, below uuid) language sql stable as $$
  select c.relname::text, substring(b from 'FROM \(''([0-9a-f-]{36})''\)')::uuid, substring(b from 'TO \(''([0-9a-f-]{36})''\)')::uuid
    from pg_inherits i join pg_class c on c.oid = i.inhrelid cross join pg_get_expr(c.relpartbound, c.oid) b
   where i.inhparent = parent::regclass
$$;

-- How a partition is vacuumed, and that nobody writes to it but through its table, whose triggers open and end requests.
create function ledger_guard_partition(part text) returns void language plpgsql as $$
begin
  execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
                                      autovacuum_analyze_scale_factor = 0.02)', part);
  execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', part || '_no_truncate', part);
  execute format('create trigger %I before insert or update or delete on %I for each statement execute function ledger_refuse()', part || '_only_as_part', part);
end $$;

-- Adds a partition for the ids from `starts` to before `below`. Rows that came with an id of that time before its partition was there are in
-- the default one, and are moved.
create function ledger_add_partition(parent text, part text, starts uuid, below uuid) returns void language plpgsql as $$
declare
  key text := case parent when 'operation' then 'id' else 'operation_id' end;
  stray text := parent || '_default';
  is_stray boolean;
begin
  -- Of the schema, since the owner's functions look for names elsewhere first.
  execute format('create table public.%I (like %I including defaults including constraints including storage)', part, parent);
  -- Readers of the table wait behind this lock, which is why it is not waited for long.
  execute format('lock table %I in access exclusive mode', stray);
  execute format('select exists (select from %I where %I >= $1 and %I < $2)', stray, key, key) into is_stray using starts, below;
  if is_stray then
    execute format('alter table %I disable trigger user', stray);
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning *) insert into %I select * from moved', stray, key, key, part)
      using starts, below;
    execute format('alter table %I enable trigger user', stray);
  end if;
  perform ledger_guard_partition(part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, starts, below);
end $$;

-- Makes the partitions of the months up to `months` after this one; answers how many it made, null while another process does so. Fails when
-- the tables are in use for longer than a moment, and can be called again.
create function ledger_partitions_ahead(months integer) returns integer language plpgsql as $$
declare
  parent text;
  month timestamp;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(7340213) then return null; end if;
  perform set_config('lock_timeout', '200ms', true);
  -- In this order, as a batch takes them.
  foreach parent in array array['settlement', 'operation'] loop
    -- The first 48 bits of an id are its time in milliseconds.
    select to_timestamp(('x' || substr(replace(max(below::text), '-', ''), 1, 12))::bit(48)::bigint / 1000.0) at time zone 'UTC' into strict month
      from ledger_partitions(parent);
    while month <= date_trunc('month', now() at time zone 'UTC') + make_interval(months => least(months, 24)) loop
      perform ledger_add_partition(parent, parent || to_char(month, '_YYYY_MM'), ledger_first_id(month at time zone 'UTC'),
                                   ledger_first_id((month + interval '1 month') at time zone 'UTC'));
      made := made + 1;
      month := month + interval '1 month';
    end loop;
  end loop;
  return made;
end $$;

do $$
declare
  views text[];
  rules text[];
  indexes text[];
  t text;
  key text;
  bound uuid;
  statement text;
  r record;
begin
  for attempt in 1..600 loop
    begin
      perform set_config('lock_timeout', '100ms', true);
      lock table settlement, operation, operator_loss, ledger_entry, video_task, image_result in access exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 600 then raise; end if;
      perform pg_sleep(0.1 + 0.2 * random());
    end;
  end loop;

  -- As text, so that they are made again for the tables that take these names.
  select array_agg(format('create or replace view %s as %s', v.oid::regclass, pg_get_viewdef(v.oid)) order by v.oid) into views
    from (select distinct w.ev_class as oid from pg_depend d join pg_rewrite w on w.oid = d.objid and d.classid = 'pg_rewrite'::regclass
           where d.refclassid = 'pg_class'::regclass and d.refobjid in ('operation'::regclass, 'settlement'::regclass)) v;

  for r in
    select k.conrelid::regclass as name, k.conname, a.attname from pg_constraint k
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.confrelid = 'operation'::regclass
  loop
    execute format('alter table %s drop constraint %I', r.name, r.conname);
    execute format('create constraint trigger %I after insert or update of %I on %s for each row when (new.%I is not null) execute function operation_exists()',
                   r.conname, r.attname, r.name, r.attname);
  end loop;

  foreach t in array array['operation', 'settlement'] loop
    key := case t when 'operation' then 'id' else 'operation_id' end;
    select substring(pg_get_constraintdef(oid) from '([0-9a-f-]{36})')::uuid into bound from pg_constraint where conname = t || '_before';
    bound := coalesce(bound, ledger_first_id((date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC'));
    select array_agg(pg_get_triggerdef(oid) order by tgname) into rules from pg_trigger where tgrelid = t::regclass and not tgisinternal;
    select array_agg(pg_get_indexdef(indexrelid) order by indexrelid) into indexes from pg_index where indrelid = t::regclass and not indisprimary;
    for r in select tgname from pg_trigger where tgrelid = t::regclass and not tgisinternal loop
      execute format('drop trigger %I on %I', r.tgname, t);
    end loop;
    for r in select indexrelid::regclass::text as name from pg_index where indrelid = t::regclass loop
      execute format('alter index %I rename to %I', r.name, replace(r.name, t, t || '_earlier'));
    end loop;
    execute format('alter table %I rename to %I', t, t || '_earlier');

    execute format('create table %I (like %I including defaults including constraints including storage) partition by range (%I)', t, t || '_earlier', key);
    execute format('alter table %I drop constraint if exists %I', t, t || '_before');
    execute format('alter table %I add primary key (%I)', t, key);
    foreach statement in array coalesce(indexes, '{}') loop execute statement; end loop;
    for r in select a.grantee::regrole as name, a.privilege_type as allowed from pg_class c, aclexplode(c.relacl) a
              where c.oid = (t || '_earlier')::regclass and a.grantee <> c.relowner and a.grantee <> 0 loop
      execute format('grant %s on %I to %s', r.allowed, t, r.name);
      execute format('revoke %s on %I from %s', r.allowed, t || '_earlier', r.name);
    end loop;

    execute format('create table %I (like %I including defaults including constraints including storage)', t || '_default', t);
    -- With a clock that was months ahead.
    execute format('with moved as (delete from %I where %I >= $1 returning *) insert into %I select * from moved', t || '_earlier', key, t || '_default')
      using bound;
    perform ledger_guard_partition(t || '_earlier'), ledger_guard_partition(t || '_default');
    -- The bound was checked before, so no row is read.
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', t, t || '_earlier', bound);
    execute format('alter table %I drop constraint if exists %I', t || '_earlier', t || '_before');
    execute format('alter table %I attach partition %I default', t, t || '_default');
    foreach statement in array rules loop execute statement; end loop;
  end loop;

  foreach statement in array views loop execute statement; end loop;
  perform ledger_partitions_ahead(3);
end $$;

-- Up to when requests have a partition of their own, and how many (up to 1000) have none.
create function ledger_partition_state() returns table (until timestamptz, strays integer) language sql stable as $$
  select (select min(last) from (
            select to_timestamp(('x' || substr(replace(max(below::text), '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as last
              from unnest(array['settlement', 'operation']) parent, ledger_partitions(parent) group by parent) t),
         (select count(*)::integer from (select from operation_default limit 1000) d)
$$;

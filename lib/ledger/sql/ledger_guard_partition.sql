-- How a partition is vacuumed, and that nobody writes to it but through its table.
create or replace function ledger_guard_partition(part text) returns void language plpgsql as $$
declare
  grantee text;
begin
  execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02,'
    ' autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.02)', part);
  execute format('create or replace trigger %I before truncate on %I'
    ' for each statement execute function ledger_refuse()', part || '_no_truncate', part);
  execute format('create or replace trigger %I before insert or update or delete on %I'
    ' for each statement execute function ledger_refuse()', part || '_only_as_part', part);
  -- What the database gives on every new table (`alter default privileges`).
  for grantee in
    select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end
      from pg_class c, aclexplode(c.relacl) a
     where c.oid = format('public.%I', part)::regclass and a.grantee <> c.relowner
  loop
    execute format('revoke all on %I from %s', part, grantee);
  end loop;
end
$$;

-- Those that are there; ledger_add_partition calls it for each new one.
select ledger_guard_partition(p.name)
  from ledger_partitions() p;

-- Reads the rows once. Requests are opened and ended meanwhile. If it is stopped, it begins again at the next start.
set local lock_timeout = '5s';

do $$
declare r record;
begin
  for r in select conrelid::regclass as name, conname from pg_constraint where conname in ('operation_before', 'settlement_before') loop
    execute format('alter table %s validate constraint %I', r.name, r.conname);
  end loop;
end $$;

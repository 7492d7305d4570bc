-- Partitions of requests by month, in four migrations. The rows that are there stay where they are: their table becomes the first partition.
-- This one promises for that table that its ids end with the next month, without a look at its rows.

do $$
declare
  bound uuid := ledger_first_id((date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC');
begin
  -- Waits a moment at a time: new requests wait behind it for as long.
  for attempt in 1..600 loop
    begin
      perform set_config('lock_timeout', '100ms', true);
      lock table settlement, operation in access exclusive mode;
      exit;
    exception when lock_not_available then
      if attempt = 600 then raise; end if;
      perform pg_sleep(0.1 + 0.2 * random());
    end;
  end loop;
  -- Made with a clock that was months ahead. Then the last of these migrations reads the rows, and nobody writes meanwhile.
  if exists (select from operation where id >= bound) or exists (select from settlement where operation_id >= bound) then return; end if;
  execute format('alter table operation add constraint operation_before check (id < %L) not valid', bound);
  execute format('alter table settlement add constraint settlement_before check (operation_id < %L) not valid', bound);
end $$;

-- Makes of the database of release-0.1.0.sql.gz one of an installation that is older: months with
-- partitions of their own, sealed pieces, an archive, a month that was dropped, requests that no
-- sum has yet. As the role that owns the tables; write-requests.sql comes where "write" stands in
-- braces.

set session_replication_role = replica;

-- From April 2026 on each month has partitions of its own.
do $$
declare
  parent text;
  month timestamp;
  below uuid;
  first constant uuid := ledger_first_id('2026-04-01Z');
begin
  foreach parent in array array['settlement', 'operation'] loop
    select p.below into below from ledger_partitions(parent) p where p.name = parent || '_earlier';
    execute format('alter table %I detach partition %I', parent, parent || '_earlier');
    execute format('create temporary table moved on commit drop as select * from %I',
      parent || '_earlier');
    execute format('delete from %I', parent || '_earlier');
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent,
      parent || '_earlier', first);
    month := '2026-04-01';
    while ledger_first_id(month at time zone 'UTC') < below loop
      perform ledger_add_partition(parent, parent || to_char(month, '_YYYY_MM'),
        ledger_first_id(month at time zone 'UTC'),
        ledger_first_id((month + interval '1 month') at time zone 'UTC'));
      month := month + interval '1 month';
    end loop;
    execute format('insert into %I select * from moved', parent);
    drop table moved;
  end loop;
end $$;

-- Nothing is sealed, and nothing is in the sums of hours.
delete from ledger_piece;
delete from ledger_seal;
delete from ledger_seal_account;
delete from ledger_draft;
delete from ledger_apart;
update ledger_seal_head set announced = '00000000-0000-0000-0000-000000000000',
  below = '00000000-0000-0000-0000-000000000000', announced_entry = -9223372036854775807,
  announced_loss = -9223372036854775807, entry = -9223372036854775807, loss = -9223372036854775807,
  piece = 0, seal = 0, hours_below = '-infinity';
delete from usage_hour;
delete from usage_total_hour;
delete from usage_total_day;
insert into usage_waiting select operation_id, account_id from settlement;

set session_replication_role = origin;

-- Some 800 requests from March to November.
create temporary view made as
  select ledger_first_id(at) as first_id, i, at, 'acct_history_' || 1 + i % 6 as account,
         case when i % 10 > 0 then 'key_acct_history_' || 1 + i % 6 || '_' || 1 + i % 3 end as key,
         'req_before_' || i as request_id, family, model,
         case when i % 7 = 0 and family = 'text' then 'messages' end as dialect,
         price, 1000000 as multiplier_ppm, due + 10 as quote, due + 10 as hold,
         'node_history' as node, at + interval '2 hours' as deadline,
         case when i % 20 > 0 then 'settled' else 'released' end as outcome,
         at + interval '3 seconds' as ended_at, due, input as input_tokens, i as output_tokens,
         case when i % 20 = 0 then 'upstream_failed' end as reason, 'ch_' || i % 3 as channel,
         case when i % 5 = 0 then 'up_' || i end as upstream_ref, i % 2 = 0 as is_stream,
         null::boolean as is_abandoned, 100 + i as duration,
         case when i % 2 = 0 then i end as first_byte,
         case when i % 40 = 0 then 'crash_unknown' end as loss
    from generate_series(1, 800) i
    cross join lateral (select '2026-03-10Z'::timestamptz + i * interval '7.8 hours' as at) t
    join lateral (
      select row_number() over (order by p.id) as place, p.id as price, p.model, m.family, f.input,
             div((f.input * coalesce(p.input_price, 0)::numeric + i * p.output_price::numeric)
               * 1000000 + 999999999999, 1000000000000)::bigint as due
        from price_version p join model m on m.id = p.model
          cross join lateral (select case when m.family = 'text' then 2 * i else 0 end as input) f
       order by p.id limit 3
    ) m on m.place = 1 + i % 3;
create temporary table made_request as
  select *, (substr(first_id::text, 1, 24) || lpad(to_hex(i), 12, '0'))::uuid as id
    from made where at < '2026-11-15Z';
{write}

-- The requests of March ended before there were sums.
set session_replication_role = replica;
update settlement set is_followed = false where operation_id < ledger_first_id('2026-04-01Z');
delete from usage_waiting where operation_id < ledger_first_id('2026-04-01Z');
update usage_backfill set below = ledger_first_id('2026-04-01Z');
set session_replication_role = origin;
do $$ begin while usage_count_waiting(100) > 0 loop end loop; end $$;

-- Pieces end within months.
select ledger_seal_announce();
do $$ begin
  while ledger_seal_piece(70) > 0 loop end loop;
  while ledger_seal_day() is not null loop end loop;
end $$;

-- The archive of two months; the rows of the first one are only in its file.
do $$
declare
  month date;
  below uuid;
begin
  foreach month in array array['2026-04-01', '2026-05-01']::date[] loop
    below := ledger_archive_starts((month + interval '1 month')::date);
    perform ledger_archive_add(month, below, month || '.gz', 1, sha256(''),
        sum(requests)::bigint, sum(charges)::bigint, sum(charged)::bigint,
        sha256(convert_to(string_agg(
          concat_ws(' ', account_id, requests, charges, charged) || E'\n', ''
          order by account_id collate "C"), 'UTF8')), sha256(''))
      from (
        select account_id, count(*) as requests, count(*) filter (where amount > 0) as charges,
               sum(amount)::bigint as charged
          from settlement where operation_id >= ledger_archive_starts(month)
           and operation_id < below group by 1
      ) s;
    perform ledger_archive_close(month);
  end loop;
  perform ledger_archive_take_out('2026-04-01');
end $$;

-- These wait for the sums, and for a piece.
create temporary table made_request as
  select *, (substr(first_id::text, 1, 24) || lpad(to_hex(i), 12, '0'))::uuid as id
    from made where at >= '2026-11-15Z';
{write}
drop view made;

-- Archived months whose requests are only in their files, chained to the one that was dropped before. Their ids are from `starts` to before `below`.
create table ledger_archive_drop (
  month         date primary key,
  number        bigint not null unique,
  starts        uuid not null,
  below         uuid not null,
  archive_hash  bytea not null,
  previous_hash bytea not null,
  hash          bytea not null unique,
  dropped_at    timestamptz not null default clock_timestamp(),
  constraint ledger_archive_drop_range check (starts < below),
  constraint ledger_archive_drop_hashes check (octet_length(archive_hash) = 32 and octet_length(previous_hash) = 32 and octet_length(hash) = 32)
);
create trigger ledger_archive_drop_no_truncate before truncate on ledger_archive_drop for each statement execute function ledger_refuse();
create trigger ledger_archive_drop_append_only before update or delete on ledger_archive_drop for each row execute function ledger_refuse();

-- Notes that the requests of an archived month are no longer in the tables, in the transaction that took them out. Only the owner may call it.
create function ledger_archive_note_drop(month date) returns void language plpgsql as $$
declare
  d ledger_archive_drop;
  last ledger_archive_drop;
begin
  lock table ledger_archive_drop in share row exclusive mode;
  d.month := month;
  d.starts := ledger_archive_starts(month);
  d.below := ledger_archive_starts((month + interval '1 month')::date);
  select a.hash into d.archive_hash from ledger_archive a where a.month = ledger_archive_note_drop.month;
  if d.archive_hash is null then raise exception 'ledger_archive_drop: the month is not archived' using errcode = 'check_violation'; end if;
  if exists (select from operation o where o.id >= d.starts and o.id < d.below)
     or exists (select from settlement s where s.operation_id >= d.starts and s.operation_id < d.below) then
    raise exception 'ledger_archive_drop: the month has rows' using errcode = 'check_violation';
  end if;
  -- Until they are in the sums, lists and charts read the rows.
  if exists (select from usage_waiting w where w.operation_id >= d.starts and w.operation_id < d.below)
     or (select b.below from usage_backfill b) > d.starts then
    raise exception 'ledger_archive_drop: a request is not in the sums' using errcode = 'check_violation';
  end if;
  -- The sums of hours are compared with the requests that have ids of about that time.
  if exists (select from ledger_apart a where a.operation_id >= d.starts and a.operation_id < d.below
                and (a.created_at < month::timestamp at time zone 'UTC' - interval '5 minutes'
                  or a.created_at >= (month + interval '1 month') at time zone 'UTC' + interval '5 minutes')) then
    raise exception 'ledger_archive_drop: a request has an id of another month' using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive_drop x order by x.number desc limit 1;
  d.number := coalesce(last.number, 0) + 1;
  d.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  d.hash := sha256(d.previous_hash || record_send(row(d.month, d.number, d.starts, d.below, d.archive_hash)));
  d.dropped_at := clock_timestamp();
  insert into ledger_archive_drop select d.*;
end $$;

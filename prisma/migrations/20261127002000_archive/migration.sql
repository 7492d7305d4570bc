-- Months of requests that were written to files. The rows stay where they are: this says which files have them, and what must be in each.

-- A file with the requests whose ids are from `starts` to before `below`.
create table ledger_archive_part (
  month         date not null,
  number        integer not null,
  starts        uuid not null,
  below         uuid not null,
  file          text not null unique,
  bytes         bigint not null,
  sha256        bytea not null,
  requests      bigint not null,
  charges       bigint not null,
  charged       bigint not null,
  -- Of the sums of each account, and of the hashes that its rows have in their piece.
  accounts_hash bytea not null,
  rows_hash     bytea not null,
  made_at       timestamptz not null default clock_timestamp(),
  primary key (month, number),
  constraint ledger_archive_part_hashes check (octet_length(sha256) = 32 and octet_length(accounts_hash) = 32 and octet_length(rows_hash) = 32),
  constraint ledger_archive_part_figures check (starts < below and number > 0 and bytes > 0 and requests > 0 and charges between 0 and requests and charged >= 0)
);

-- A month whose parts are complete, chained to the one that was archived before. `seal` is the last sealed day then.
create table ledger_archive (
  month         date primary key,
  number        bigint not null unique,
  parts         integer not null,
  bytes         bigint not null,
  requests      bigint not null,
  charges       bigint not null,
  charged       bigint not null,
  parts_hash    bytea not null,
  seal          bigint not null,
  seal_hash     bytea not null,
  previous_hash bytea not null,
  hash          bytea not null unique,
  made_at       timestamptz not null default clock_timestamp(),
  constraint ledger_archive_month check (month = date_trunc('month', month)),
  constraint ledger_archive_hashes check (octet_length(parts_hash) = 32 and octet_length(seal_hash) = 32 and octet_length(previous_hash) = 32
                                          and octet_length(hash) = 32)
);

do $$
declare t text;
begin
  foreach t in array array['ledger_archive_part', 'ledger_archive'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
    execute format('create trigger %I before update or delete on %I for each row execute function ledger_refuse()', t || '_append_only', t);
  end loop;
end $$;

create function ledger_archive_starts(month date) returns uuid language sql stable as $$
  select ledger_first_id(month::timestamp at time zone 'UTC')
$$;

-- Why a month cannot be archived now; null when it can. Refunds, receipts and work that runs need what is younger than three full months.
create function ledger_archive_refusal(month date) returns text language plpgsql stable as $$
declare
  starts uuid := ledger_archive_starts(month);
  ends uuid := ledger_archive_starts((month + interval '1 month')::date);
  sealed bigint;
begin
  if month <> date_trunc('month', month) then return 'no_month'; end if;
  if month + interval '4 months' > now() at time zone 'UTC' then return 'too_young'; end if;
  if exists (select from open_operation o where o.operation_id >= starts and o.operation_id < ends)
     or exists (select from video_task v where v.operation_id >= starts and v.operation_id < ends and v.ended_at is null) then
    return 'open';
  end if;
  select s.piece into sealed from ledger_seal s order by s.number desc limit 1;
  if not exists (select from ledger_piece p where p.number <= sealed and p.below >= ends)
     or exists (select from ledger_apart a where a.operation_id >= starts and a.operation_id < ends and (a.piece is null or a.piece > sealed)) then
    return 'not_sealed';
  end if;
  return null;
end $$;

-- Notes a file that was written and read back. Its figures must be those of the rows that are here; answers its number.
create function ledger_archive_add(month date, below uuid, file text, bytes bigint, sha256 bytea, requests bigint, charges bigint, charged bigint,
                                   accounts_hash bytea, rows_hash bytea) returns integer language plpgsql as $$
declare
  refusal text := ledger_archive_refusal(month);
  last ledger_archive_part;
  first uuid;
  operations bigint;
  sums record;
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  if refusal is not null then raise exception 'ledger_archive: %', refusal using errcode = 'check_violation'; end if;
  select * into last from ledger_archive_part p where p.month = ledger_archive_add.month order by p.number desc limit 1;
  first := coalesce(last.below, ledger_archive_starts(month));
  if ledger_archive_add.below > ledger_archive_starts((month + interval '1 month')::date) then
    raise exception 'ledger_archive: the part ends after its month' using errcode = 'check_violation';
  end if;
  select count(*) into operations from operation o where o.id >= first and o.id < ledger_archive_add.below;
  select sum(s.requests)::bigint as requests, sum(s.charges)::bigint as charges, sum(s.charged)::bigint as charged,
         pg_catalog.sha256(convert_to(coalesce(string_agg(s.account_id || ' ' || s.requests || ' ' || s.charges || ' ' || s.charged || E'\n', ''
           order by s.account_id collate "C"), ''), 'UTF8')) as accounts_hash
    into sums from (
      select e.account_id, count(*) as requests, count(*) filter (where e.amount > 0) as charges, sum(e.amount)::bigint as charged
        from settlement e where e.operation_id >= first and e.operation_id < ledger_archive_add.below group by 1) s;
  if operations <> ledger_archive_add.requests
     or (sums.requests, sums.charges, sums.charged, sums.accounts_hash) is distinct from
        (ledger_archive_add.requests, ledger_archive_add.charges, ledger_archive_add.charged, ledger_archive_add.accounts_hash) then
    raise exception 'ledger_archive: the file has other requests than the database' using errcode = 'check_violation';
  end if;
  insert into ledger_archive_part (month, number, starts, below, file, bytes, sha256, requests, charges, charged, accounts_hash, rows_hash)
    values (month, coalesce(last.number, 0) + 1, first, ledger_archive_add.below, file, bytes, ledger_archive_add.sha256, ledger_archive_add.requests,
            ledger_archive_add.charges, ledger_archive_add.charged, ledger_archive_add.accounts_hash, ledger_archive_add.rows_hash);
  return coalesce(last.number, 0) + 1;
end $$;

create function ledger_archive_hash(previous bytea, a ledger_archive) returns bytea language sql stable as $$
  select sha256(previous || record_send(row(a.month, a.number, a.parts, a.bytes, a.requests, a.charges, a.charged, a.parts_hash, a.seal, a.seal_hash)))
$$;

-- Of what is noted of the parts of a month.
create function ledger_archive_parts_hash(month date) returns bytea language sql stable as $$
  select sha256(coalesce(string_agg(record_send(row(p.number, p.starts, p.below, p.file, p.bytes, p.sha256, p.requests, p.charges, p.charged,
           p.accounts_hash, p.rows_hash)), ''::bytea order by p.number), '')) from ledger_archive_part p where p.month = $1
$$;

-- Notes that all requests of a month are in its parts. False: that was noted before.
create function ledger_archive_close(month date) returns boolean language plpgsql as $$
declare
  refusal text := ledger_archive_refusal(month);
  starts uuid := ledger_archive_starts(month);
  below uuid := ledger_archive_starts((month + interval '1 month')::date);
  a ledger_archive;
  last ledger_archive;
  operations bigint;
begin
  if refusal is not null then raise exception 'ledger_archive: %', refusal using errcode = 'check_violation'; end if;
  -- One after another, since each row follows the one before. Readers do not wait.
  lock table ledger_archive in share row exclusive mode;
  if exists (select from ledger_archive x where x.month = ledger_archive_close.month) then return false; end if;
  select count(*), sum(p.bytes), sum(p.requests), sum(p.charges), sum(p.charged) into a.parts, a.bytes, a.requests, a.charges, a.charged
    from ledger_archive_part p where p.month = ledger_archive_close.month;
  select count(*) into operations from operation o where o.id >= starts and o.id < below;
  if a.parts = 0 or operations <> a.requests
     or (select count(*) from settlement s where s.operation_id >= starts and s.operation_id < below) <> a.requests then
    raise exception 'ledger_archive: the parts do not have all requests of the month' using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive x order by x.number desc limit 1;
  a.month := month;
  a.number := coalesce(last.number, 0) + 1;
  a.parts_hash := ledger_archive_parts_hash(month);
  select s.number, s.hash into strict a.seal, a.seal_hash from ledger_seal s order by s.number desc limit 1;
  a.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  a.hash := ledger_archive_hash(a.previous_hash, a);
  a.made_at := clock_timestamp();
  insert into ledger_archive select a.*;
  return true;
end $$;

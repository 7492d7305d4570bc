-- Notes a file that was written and read back. Its figures must be those of the rows that are here;
-- answers its number.
create or replace function ledger_archive_add(
  month date, below uuid, file text, bytes bigint, sha256 bytea, requests bigint, charges bigint,
  charged bigint, accounts_hash bytea, rows_hash bytea
) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  refusal text := ledger_archive_refusal(month);
  last ledger_archive_part;
  first uuid;
  sums record;
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  if refusal is not null then
    raise exception 'ledger_archive: %', refusal using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive_part p where p.month = ledger_archive_add.month
    order by p.number desc limit 1;
  first := coalesce(last.below, ledger_archive_starts(month));
  if ledger_archive_add.below > ledger_archive_starts((month + interval '1 month')::date) then
    raise exception 'ledger_archive: the part ends after its month'
      using errcode = 'check_violation';
  end if;
  select sum(s.requests)::bigint as requests, sum(s.charges)::bigint as charges,
    sum(s.charged)::bigint as charged,
    pg_catalog.sha256(convert_to(coalesce(string_agg(
      s.account_id || ' ' || s.requests || ' ' || s.charges || ' ' || s.charged || E'\n', ''
      order by s.account_id collate "C"), ''), 'UTF8')) as accounts_hash
    into sums from (
      select e.account_id, count(*) as requests, count(*) filter (where e.amount > 0) as charges,
        sum(e.amount)::bigint as charged
        from request e where e.id >= first and e.id < ledger_archive_add.below group by 1) s;
  if (sums.requests, sums.charges, sums.charged, sums.accounts_hash) is distinct from
      (ledger_archive_add.requests, ledger_archive_add.charges, ledger_archive_add.charged,
        ledger_archive_add.accounts_hash) then
    raise exception 'ledger_archive: the file has other requests than the database'
      using errcode = 'check_violation';
  end if;
  insert into ledger_archive_part (month, number, starts, below, file, bytes, sha256, requests,
    charges, charged, accounts_hash, rows_hash)
    values (month, coalesce(last.number, 0) + 1, first, ledger_archive_add.below, file, bytes,
      ledger_archive_add.sha256, ledger_archive_add.requests, ledger_archive_add.charges,
      ledger_archive_add.charged, ledger_archive_add.accounts_hash, ledger_archive_add.rows_hash);
  return coalesce(last.number, 0) + 1;
end
$$;

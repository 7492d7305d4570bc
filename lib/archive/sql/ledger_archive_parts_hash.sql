-- Of what is noted of the parts of a month.
create or replace function ledger_archive_parts_hash(month date) returns bytea language sql stable
as $$
  select sha256(
    coalesce(string_agg(record_send(row(p.number, p.starts, p.below, p.file, p.bytes, p.sha256,
    p.requests, p.charges, p.charged, p.accounts_hash, p.rows_hash)), ''::bytea order by p.number),
    '')) from ledger_archive_part p where p.month = $1
$$;

-- The hash of a month's note: of the one before and of everything that the note says. A bytea of
-- 32.
create or replace function ledger_archive_hash(previous bytea, a ledger_archive) returns bytea
language sql stable as $$
  select sha256(previous
    || record_send(row(a.month, a.number, a.parts, a.bytes, a.requests, a.charges, a.charged,
    a.parts_hash, a.seal, a.seal_hash)))
$$;

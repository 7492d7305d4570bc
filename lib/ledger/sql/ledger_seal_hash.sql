-- The hash of a day's seal: of the one before and of everything that this one says. A bytea of 32.
create or replace function ledger_seal_hash(previous bytea, s ledger_seal) returns bytea
language sql stable as $$
  select sha256(previous
    || record_send(row(s.day, s.number, s.piece, s.entry, s.accounts, s.requests, s.charges,
    s.entries, s.pieces_hash, s.accounts_hash, s.balances_hash)))
$$;

-- Seals the day that is due; answers it, null when none is.
create or replace function ledger_seal_day() returns date language plpgsql security definer
set enable_seqscan = off
set search_path = pg_catalog, public, pg_temp as $$
declare
  h ledger_seal_head;
  last ledger_seal;
  s ledger_seal;
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  select * into strict h from ledger_seal_head for update;
  s.day := ledger_seal_due();
  if s.day is null then return null; end if;
  select * into last from ledger_seal order by number desc limit 1;
  s.number := coalesce(last.number, 0) + 1;
  s.piece := h.piece;
  s.entry := coalesce((select max(id) from ledger_entry
    where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry
    and created_at < (s.day + 1)::timestamp at time zone 'UTC'), last.entry, -9223372036854775807);
  s.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  s.pieces_hash :=
    sha256(coalesce((select string_agg(hash, ''::bytea order by number) from ledger_piece
    where number > coalesce(last.piece, 0) and number <= s.piece), ''));
  -- The seal itself is written last, when its hashes are known.
  insert into ledger_seal_account
    select t.account_id, s.day, t.requests, t.charges, t.entries, t.charged, t.credited, t.debited,
      t.kinds, coalesce(b.credits_after, 0), coalesce(b.debits_after, 0),
      coalesce(b.credits_after, 0) + t.credited, coalesce(b.debits_after, 0) + t.charged + t.debited
      from (select account_id, sum(requests)::bigint as requests, sum(charges)::bigint as charges,
        sum(entries)::bigint as entries, sum(charged)::bigint as charged,
        coalesce(sum(moved) filter (where kind not in ('clawback', 'expiry', 'adjust_down')),
        0)::bigint as credited,
        coalesce(sum(moved) filter (where kind in ('clawback', 'expiry', 'adjust_down')),
        0)::bigint as debited,
        coalesce(jsonb_object_agg(kind, moved) filter (where kind is not null), '{}') as kinds
        from (select account_id, null as kind, sum(settled + released) as requests,
          sum(charges) as charges, 0 as entries, sum(amount) as charged, 0 as moved
          from ledger_draft where day <= s.day group by 1
          union all
          select account_id, kind, 0, 0, count(*), 0, sum(amount)
            from ledger_entry
              where id > coalesce(last.entry, -9223372036854775807) and id <= s.entry
              group by 1, 2) by_kind
        group by account_id) t
      left join lateral (select credits_after, debits_after from ledger_seal_account b
        where b.account_id = t.account_id order by b.day desc limit 1) b on true;
  delete from ledger_draft where day <= s.day;
  select count(*), coalesce(sum(a.requests), 0), coalesce(sum(a.charges), 0),
    coalesce(sum(a.entries), 0),
    sha256(coalesce(string_agg(record_send(a), ''::bytea order by a.account_id collate "C"), ''))
    into s.accounts, s.requests, s.charges, s.entries, s.accounts_hash from ledger_seal_account a
      where a.day = s.day;
  select sha256(coalesce(string_agg(record_send(row(w.account_id, b.credits_after, b.debits_after)),
    ''::bytea order by w.account_id collate "C"), ''))
    into s.balances_hash
    from wallet w
      cross join lateral (select credits_after, debits_after from ledger_seal_account b
      where b.account_id = w.account_id
      order by b.day desc limit 1) b;
  s.hash := ledger_seal_hash(s.previous_hash, s);
  s.sealed_at := clock_timestamp();
  insert into ledger_seal select s.*;
  update ledger_seal_head set seal = s.number;
  return s.day;
end
$$;

-- Takes the next piece, of at most `most` ids, as many that were apart, entries and losses; answers
-- its number, 0 when there is none. Called again until it answers 0. In a transaction that reads
-- one snapshot, whoever comes second fails instead of waiting in vain.
create or replace function ledger_seal_piece(most integer) returns bigint
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  h ledger_seal_head;
  n bigint;
  p ledger_piece;
  upto uuid;
  entry_to bigint;
  loss_to bigint;
  r record;
  e record;
  l record;
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one
  -- for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  select * into strict h from ledger_seal_head for update;
  n := h.piece + 1;
  -- Where the last piece ended, so that nothing lies between pieces.
  select * into p from ledger_piece where number = h.piece;
  p.starts := coalesce(p.below, '00000000-0000-0000-0000-000000000000');
  p.entry := coalesce(p.entry, -9223372036854775807);
  p.loss := coalesce(p.loss, -9223372036854775807);
  upto := coalesce((select id from request where id >= h.below and id < h.announced
    order by id offset most limit 1), h.announced);
  entry_to := coalesce((select max(id) from (select id from ledger_entry
    where id > p.entry and id <= h.announced_entry order by id limit most) e), h.entry);
  loss_to := coalesce((select max(id) from (select id from operator_loss
    where id > p.loss and id <= h.announced_loss order by id limit most) l), h.loss);
  update ledger_apart a set piece = n from (
    select w.operation_id from ledger_apart w
      cross join lateral (select from request q where q.id = w.operation_id limit 1) q
      where w.piece is null limit most) ready
    where a.operation_id = ready.operation_id;
  select * into r from ledger_seal_requests(p.starts, upto, n);
  select count(*) as found, sha256(coalesce(string_agg(record_send(row(x.id, x.account_id, x.kind,
      x.ref, x.amount, x.reason, x.actor, x.created_at, x.operation_id)), ''::bytea
      order by x.id), '')) as hash
    into e from ledger_entry x where x.id > p.entry and x.id <= entry_to;
  select count(*) as found, sha256(coalesce(string_agg(record_send(row(x.id, x.operation_id,
      x.cause, x.estimate, x.detail, x.created_at)), ''::bytea order by x.id), '')) as hash
    into l from operator_loss x where x.id > p.loss and x.id <= loss_to;
  update ledger_seal_head set below = upto, entry = entry_to, loss = loss_to;
  if r.requests + e.found + l.found = 0 then return 0; end if;
  insert into ledger_piece (number, starts, below, entry_after, entry, loss_after, loss, requests,
      entries, losses, ended_from, ended_to, hash)
    values (n, p.starts, upto, p.entry, entry_to, p.loss, loss_to, r.requests, e.found, l.found,
      r.ended_from, r.ended_to, sha256(r.hash || e.hash || l.hash));
  update ledger_seal_head set piece = n;
  return n;
end
$$;

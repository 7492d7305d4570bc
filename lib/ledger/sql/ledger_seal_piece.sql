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
  found_requests bigint;
  found_entries bigint;
  found_losses bigint;
  day_from date;
  day_to date;
  hashes bytea;
  -- Of an operation `o` and its settlement `s`.
  request constant text := $request$
    coalesce(o.id, s.operation_id) as id, s.operation_id is not null as is_ended, o.created_at,
    -- The first 48 bits of an id are its time in milliseconds.
    abs(('x' || encode(substring(uuid_send(o.id) for 6), 'hex'))::bit(48)::bigint
      - date_part('epoch', o.created_at) * 1000) > 300000
      as is_of_another_time,
    (s.created_at at time zone 'UTC')::date as day, s.account_id,
    coalesce(o.api_key_id, '') as api_key_id, coalesce(o.model, '') as model,
    coalesce(s.channel_id, '') as channel_id, s.outcome = 'settled' as is_settled, s.amount,
    s.input_tokens, s.output_tokens,
    s.outcome = 'settled' and s.duration_ms is not null as is_timed,
    s.outcome = 'settled' and s.is_stream and s.first_byte_ms is not null as is_streamed,
    case when s.operation_id is not null then
      sha256(record_send(row(o.id, o.account_id, o.api_key_id, o.source, o.request_id, o.family,
        o.model, o.dialect, o.model_version_id,
        o.price_version_id, o.multiplier_ppm, o.quote_amount, o.hold_amount, o.request_sha256,
        o.node_id, o.created_at, o.deadline,
        s.operation_id, s.account_id, s.hold_amount, s.outcome, s.amount, s.input_tokens,
        s.output_tokens, s.usage, s.reason, s.channel_id,
        s.upstream_ref, s.is_stream, s.is_abandoned, s.duration_ms, s.first_byte_ms,
        s.created_at))) end as hash $request$;
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one
  -- for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  -- Both tables come in the order of their ids; sorting them, or grouping by sorting, costs twice
  -- as much. And no loops, in the rules that are read next, too: the planner expects one row in a
  -- range of ids that is shorter than a bin of its histogram, and would compare each row with each
  -- other. Single rows are read by lateral.
  perform set_config('enable_sort', 'off', true), set_config('enable_nestloop', 'off', true);
  select * into strict h from ledger_seal_head for update;
  n := h.piece + 1;
  -- Where the last piece ended, so that nothing lies between pieces.
  select * into p from ledger_piece where number = h.piece;
  p.starts := coalesce(p.below, '00000000-0000-0000-0000-000000000000');
  p.entry := coalesce(p.entry, -9223372036854775807);
  p.loss := coalesce(p.loss, -9223372036854775807);
  upto := coalesce((select id from operation where id >= h.below and id < h.announced order by id
    offset most limit 1), h.announced);
  entry_to := coalesce((select max(id)
    from (select id from ledger_entry where id > p.entry and id <= h.announced_entry order by id
    limit most) e), h.entry);
  loss_to := coalesce((select max(id)
    from (select id from operator_loss where id > p.loss and id <= h.announced_loss order by id
    limit most) l), h.loss);

  update ledger_apart a set piece = n from (
    select w.operation_id from ledger_apart w
      cross join lateral (select from settlement s where s.operation_id = w.operation_id limit 1) s
      where w.piece is null limit most) ready
    where a.operation_id = ready.operation_id;
  -- Every request of the piece, and every operation of its range that belongs to no piece by its
  -- id. Both tables by their ranges, so that no plan reads a whole one; what is apart is read by
  -- itself.
  execute format($query$
    with found as materialized (
      select %1$s from (select * from operation where id >= $1 and id < $2) o
        full join (select * from settlement where operation_id >= $1 and operation_id < $2) s
          on s.operation_id = o.id
        where not exists (select from ledger_apart a
          where a.operation_id >= $1 and a.operation_id < $2
          and a.operation_id = coalesce(o.id, s.operation_id))
      union all
      select %1$s from ledger_apart a
        cross join lateral (select * from settlement s where s.operation_id = a.operation_id
        limit 1) s
        left join lateral (select * from operation o where o.id = a.operation_id limit 1) o on true
        where a.piece = $3
    ), put_apart as (
      -- Those that are still open, and those whose id is not of the time at which they were opened.
      insert into ledger_apart (operation_id, created_at, piece)
        select id, created_at, case when is_ended then $3 end from found
          where not is_ended or is_of_another_time
        on conflict (operation_id) do nothing
    ), summed as (
      insert into ledger_draft as d (day, account_id, api_key_id, model, channel_id, settled,
        released, charges, input_tokens, output_tokens, amount, timed, streamed)
        select day, account_id, api_key_id, model, channel_id, count(*) filter (where is_settled),
          count(*) filter (where not is_settled), count(*) filter (where amount > 0),
          coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), sum(amount),
          count(*) filter (where is_timed), count(*) filter (where is_streamed)
          from found where is_ended group by 1, 2, 3, 4, 5
        on conflict (day, account_id, api_key_id, model, channel_id) do update set
          settled = d.settled + excluded.settled, released = d.released + excluded.released,
          charges = d.charges + excluded.charges,
          input_tokens = d.input_tokens + excluded.input_tokens,
          output_tokens = d.output_tokens + excluded.output_tokens,
          amount = d.amount + excluded.amount, timed = d.timed + excluded.timed,
          streamed = d.streamed + excluded.streamed
    )
    select count(*), min(day), max(day),
      sha256(coalesce(string_agg(hash, ''::bytea order by id), '')) from found where is_ended
  $query$, request) into found_requests, day_from, day_to, hashes using p.starts, upto, n;

  select count(*),
    hashes || sha256(
    coalesce(string_agg(record_send(row(e.id, e.account_id, e.kind, e.ref, e.amount, e.reason,
    e.actor, e.created_at, e.operation_id)), ''::bytea order by e.id), ''))
    into found_entries, hashes from ledger_entry e where e.id > p.entry and e.id <= entry_to;
  select count(*),
    hashes || sha256(
    coalesce(string_agg(record_send(row(l.id, l.operation_id, l.cause, l.estimate, l.detail,
    l.created_at)), ''::bytea order by l.id), ''))
    into found_losses, hashes from operator_loss l where l.id > p.loss and l.id <= loss_to;

  if found_requests + found_entries + found_losses = 0 then
    update ledger_seal_head set below = upto, entry = entry_to, loss = loss_to;
    return 0;
  end if;
  insert into ledger_piece (number, starts, below, entry_after, entry, loss_after, loss, requests,
    entries, losses, ended_from, ended_to, hash)
    values (n, p.starts, upto, p.entry, entry_to, p.loss, loss_to, found_requests, found_entries,
      found_losses, day_from, day_to, sha256(hashes));
  update ledger_seal_head set below = upto, piece = n, entry = entry_to, loss = loss_to;
  return n;
end
$$;

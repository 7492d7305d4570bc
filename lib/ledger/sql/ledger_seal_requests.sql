-- The requests of a piece: those with an id of its range, without those that are apart, and those
-- apart that it takes. Adds them to the sums of their days, and returns their number, the days on
-- which they ended and their hash.
create or replace function ledger_seal_requests(
  starts uuid, upto uuid, n bigint,
  out requests bigint, out ended_from date, out ended_to date, out hash bytea
) language plpgsql as $$
begin
  -- The rows come in the order of their ids; sorting them, or grouping by sorting, costs twice as
  -- much. And no loops: the planner expects one row in a range of ids that is shorter than a bin of
  -- its histogram, and would compare each row with each other. Single rows are read by lateral.
  perform set_config('enable_sort', 'off', true), set_config('enable_nestloop', 'off', true);
  with taken as materialized (
    select r.*, false as was_apart from request r
     where r.id >= starts and r.id < upto and not exists (select from ledger_apart a
       where a.operation_id >= starts and a.operation_id < upto and a.operation_id = r.id)
    union all
    select r.*, true from ledger_apart a
      cross join lateral (select * from request r where r.id = a.operation_id limit 1) r
     where a.piece = n
  ), put_apart as (
    -- Those whose id is not of the time at which they were opened: its first 48 bits are a time.
    insert into ledger_apart (operation_id, created_at, piece)
      select t.id, t.created_at, n from taken t
       where abs(('x' || encode(substring(uuid_send(t.id) for 6), 'hex'))::bit(48)::bigint
         - date_part('epoch', t.created_at) * 1000) > 300000 and not t.was_apart
      on conflict (operation_id) do nothing
  ), summed as (
    insert into ledger_draft as d (day, account_id, api_key_id, model, channel_id, settled,
        released, charges, input_tokens, output_tokens, amount, timed, streamed)
      select (t.ended_at at time zone 'UTC')::date, t.account_id, coalesce(t.api_key_id, ''),
             t.model, coalesce(t.channel_id, ''), count(*) filter (where t.outcome = 'settled'),
             count(*) filter (where t.outcome = 'released'), count(*) filter (where t.amount > 0),
             coalesce(sum(t.input_tokens), 0), coalesce(sum(t.output_tokens), 0), sum(t.amount),
             count(t.duration_ms) filter (where t.outcome = 'settled'),
             count(t.first_byte_ms) filter (where t.outcome = 'settled' and t.is_stream)
        from taken t group by 1, 2, 3, 4, 5
      on conflict (day, account_id, api_key_id, model, channel_id) do update set
        settled = d.settled + excluded.settled, released = d.released + excluded.released,
        charges = d.charges + excluded.charges,
        input_tokens = d.input_tokens + excluded.input_tokens,
        output_tokens = d.output_tokens + excluded.output_tokens,
        amount = d.amount + excluded.amount, timed = d.timed + excluded.timed,
        streamed = d.streamed + excluded.streamed
  )
  -- In the order of when a request was two rows, an opened and an ended one: seals made then stay.
  select count(*), min((t.ended_at at time zone 'UTC')::date),
         max((t.ended_at at time zone 'UTC')::date),
         sha256(coalesce(string_agg(sha256(record_send(row(t.id, t.account_id, t.api_key_id,
           t.source, t.request_id, t.family, t.model, t.dialect, t.model_version_id,
           t.price_version_id, t.multiplier_ppm, t.quote_amount, t.hold_amount, t.request_sha256,
           t.node_id, t.created_at, t.deadline, t.id, t.account_id, t.hold_amount, t.outcome,
           t.amount, t.input_tokens, t.output_tokens, t.usage, t.reason, t.channel_id,
           t.upstream_ref, t.is_stream, t.is_abandoned, t.duration_ms, t.first_byte_ms,
           t.ended_at))), ''::bytea order by t.id), ''))
    into requests, ended_from, ended_to, hash from taken t;
end
$$;

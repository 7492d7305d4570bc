-- Ends the requests of a batch, each once: deletes the open row, writes the ended one, and moves
-- the hold to the charge. A charge is at most its hold; what exceeds it is the operator's loss.
-- `everyone` and `payers` as in ledger_hold. Answers in the order of `ids`, separated by commas:
-- 'd' and the charge; 's' or 'r' and the charge of one that was settled or released before; 'a'
-- where the account has no such request.
create or replace function ledger_end(
  everyone text[], ids uuid[], payers integer[], settles boolean[], amounts bigint[],
  inputs bigint[], outputs bigint[], usages jsonb[], reasons text[], channels text[],
  upstreams text[], streams boolean[], abandons boolean[], durations integer[], firsts integer[],
  causes text[], estimates bigint[], details jsonb[], of_task boolean default false
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  spots tid[];
  is_limited boolean;
  places integer[];
  charges bigint[];
  holds bigint[];
  ended uuid[];
  answers text[] := array_fill(null::text, array[cardinality(ids)]);
begin
  select array_agg(l.spot), bool_or(l.has_limits) into spots, is_limited
    from unnest(everyone) as e(account) left join lateral (
      select w.ctid as spot, w.has_limits from wallet w
       where w.account_id = e.account for update) l on true;
  with e as (
    delete from open_request o
     using (
       select u.*, q.ctid as spot
         from unnest(ids, payers, settles, amounts, inputs, outputs, usages, reasons, channels,
                upstreams, streams, abandons, durations, firsts) with ordinality
           as u(end_id, payer, is_settled, due, input, output, report, why, channel,
                upstream, streamed, abandoned, duration, first_byte, place),
              lateral (select ctid from open_request where id = u.end_id offset 0) q
     ) u
     where o.ctid = u.spot and o.account_id = everyone[u.payer] and o.is_task = of_task
    returning o.*, u.*, least(u.due, o.hold_amount) as charge
  ), written as (
    insert into request (id, account_id, api_key_id, source, request_id, family, dialect, model,
        price_version_id, model_version_id, multiplier_ppm, quote_amount, hold_amount,
        request_sha256, node_id, created_at, deadline, outcome, amount, input_tokens,
        output_tokens, usage, reason, channel_id, upstream_ref, is_stream, is_abandoned,
        duration_ms, first_byte_ms, ended_at)
      select id, account_id, api_key_id, source, request_id, family, dialect, model,
             price_version_id, model_version_id, multiplier_ppm, quote_amount, hold_amount,
             request_sha256, node_id, created_at, deadline,
             case when is_settled then 'settled' else 'released' end, charge, input,
             output, report, why, channel, upstream, streamed, abandoned,
             duration, first_byte, now()
        from e
  )
  select array_agg(place), array_agg(id), array_agg(hold_amount), array_agg(charge)
    into places, ended, holds, charges from e;
  if ended is null then return ledger_ended_before(everyone, ids, payers, answers); end if;
  perform ledger_charge(spots, payers, places, holds, charges);
  perform ledger_follow_ends(everyone, payers, places, ended);
  if is_limited then perform ledger_end_limits(ended); end if;
  for n in 1..cardinality(places) loop
    answers[places[n]] := 'd' || charges[n];
    if charges[n] < amounts[places[n]] or causes[places[n]] is not null then
      perform ledger_note_loss(ended[n], amounts[places[n]] - charges[n], causes[places[n]],
        estimates[places[n]], details[places[n]]);
    end if;
  end loop;
  if array_position(answers, null) is null then return array_to_string(answers, ','); end if;
  return ledger_ended_before(everyone, ids, payers, answers);
end
$$;

-- Ends the requests of a batch, each once: deletes the open row, writes the ended one, and moves
-- the hold to the charge. A charge is at most its hold; what exceeds it is the operator's loss.
-- Raises without an amount. `everyone`, `payers` and `ids` as in ledger_hold. Answers in their
-- order: 'd' and the charge; 's' or 'r' and that of one that ended before; 'a' where there is none.
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
  ended uuid[];
  charges bigint[];
  answer text;
  has_losses boolean;
  is_paid boolean;
begin
  select array_agg(l.spot), bool_or(l.has_limits) into spots, is_limited
    from unnest(everyone) as e(account) left join lateral (
      select w.ctid as spot, w.has_limits from wallet w
       where w.account_id = e.account for update) l on true;
  with e as (
    delete from open_request o
     using (select u.n, q.ctid as spot
              from unnest(ids) with ordinality u(id, n),
                   lateral (select ctid from open_request where id = u.id offset 0) q) u
     where o.ctid = u.spot and o.account_id = everyone[payers[n]] and o.is_task = of_task
    returning o.*, u.n, amounts[n] - greatest(amounts[n] - o.hold_amount, 0) as charge
  ), written as (
    insert into request
      select id, account_id, api_key_id, source, request_id, family, dialect, model,
             price_version_id, model_version_id, multiplier_ppm, quote_amount, hold_amount,
             request_sha256, node_id, created_at, deadline,
             case when settles[n] then 'settled' else 'released' end, charge, inputs[n],
             outputs[n], usages[n], reasons[n], channels[n], upstreams[n], streams[n],
             abandons[n], durations[n], firsts[n], now(), tags from e
  ), waiting as (
    insert into usage_waiting (operation_id, account_id) select id, account_id from e
  ), due as (
    select payers[n] as payer, sum(hold_amount)::bigint as held, sum(charge)::bigint as charged,
           count(*)::integer as holds from e group by 1
  ), moved as (
    update wallet w set debits_pending = w.debits_pending - due.held,
        debits_posted = w.debits_posted + due.charged, open_holds = w.open_holds - due.holds,
        version = w.version + 1
      from due where w.ctid = spots[due.payer] returning w.account_id
  )
  select array_agg(n), array_agg(id), array_agg(charge), string_agg('d' || charge, ',' order by n),
         bool_or(charge < amounts[n] or causes[n] is not null),
         (select count(*) from moved) = (select count(*) from due)
    into places, ended, charges, answer, has_losses, is_paid from e;
  if not is_paid then raise exception 'end: a wallet was not found again'; end if;
  -- The sealer announces first, and then waits for the transactions under way.
  if (select h.announced from ledger_seal_head h) > any(ended) then
    perform ledger_set_apart(ended);
  end if;
  if is_limited then perform ledger_end_limits(ended); end if;
  for n in 1..case when has_losses then cardinality(places) else 0 end loop
    perform ledger_note_loss(ended[n], amounts[places[n]] - charges[n], causes[places[n]],
      estimates[places[n]], details[places[n]]);
  end loop;
  if cardinality(ended) = cardinality(ids) then return answer; end if;
  return ledger_ended_before(everyone, ids, payers, ended, charges);
end
$$;

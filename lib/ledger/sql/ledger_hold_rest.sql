-- Opens what ledger_hold could not decide by sets: the holds of the accounts in `paid` are paid,
-- and of the others those without an answer are asked one by one, in their order.
create or replace function ledger_hold_rest(
  node_name text, everyone text[], paid integer[], answers text[], opened_at timestamptz,
  members text[], ids uuid[], payers integer[], keys text[], sources text[], requests text[],
  families text[], dialects text[], models text[], prices bigint[], versions bigint[],
  ppms integer[], quotes bigint[], amounts bigint[], leasts bigint[], shas bytea[],
  seconds integer[], tags jsonb[], of_task boolean
) returns text language plpgsql as $$
declare
  answer text[] := coalesce(answers, array_fill(null::text, array[cardinality(ids)]));
  booked text[];
  granted bigint[];
begin
  if paid is not null then
    granted := array(select case when u.payer = any(paid) then u.amount end
      from unnest(payers, amounts) with ordinality u(payer, amount, place) order by u.place);
    perform ledger_open(node_name, everyone, ids, payers, keys, sources, requests, families,
      dialects, models, prices, versions, ppms, quotes, granted, shas, seconds, tags, opened_at,
      of_task);
    booked := ledger_book_limits(everyone, payers, keys, members, tags, granted);
  end if;
  for n in 1..cardinality(ids) loop
    if answer[n] is null and payers[n] = any(paid) then
      answer[n] := booked[n];
    elsif answer[n] is null then
      answer[n] := ledger_hold_each(node_name, opened_at, members[n], ids[n], everyone[payers[n]],
        keys[n], sources[n], requests[n], families[n], dialects[n], models[n], prices[n],
        versions[n], ppms[n], quotes[n], amounts[n], leasts[n], shas[n], seconds[n], tags[n],
        of_task);
    end if;
  end loop;
  return array_to_string(answer, ',');
end
$$;

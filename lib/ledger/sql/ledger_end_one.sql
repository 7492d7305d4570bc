-- Ends one request of an account without limits: the short way. Everything else goes the way of
-- batches. Answers as ledger_end.
create or replace function ledger_end_one(
  p_id uuid, account text, is_settled boolean, due bigint, input bigint, output bigint,
  usage jsonb, reason text, channel text, upstream text, streamed boolean, abandoned boolean,
  duration integer, first_byte integer, cause text, estimate bigint, detail jsonb
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  o open_request;
  charge bigint;
  is_limited boolean;
begin
  select has_limits into is_limited from wallet where account_id = account for update;
  if not is_limited then
    delete from open_request q where q.id = p_id and q.account_id = account and not q.is_task
      returning * into o;
  end if;
  if o.id is null then
    return ledger_end(array[account], array[p_id], array[1], array[is_settled], array[due],
      array[input], array[output], array[usage], array[reason], array[channel], array[upstream],
      array[streamed], array[abandoned], array[duration], array[first_byte], array[cause],
      array[estimate], array[detail]);
  end if;
  charge := due - greatest(due - o.hold_amount, 0);
  insert into request values (o.id, o.account_id, o.api_key_id, o.source, o.request_id, o.family,
    o.dialect, o.model, o.price_version_id, o.model_version_id, o.multiplier_ppm, o.quote_amount,
    o.hold_amount, o.request_sha256, o.node_id, o.created_at, o.deadline,
    case when is_settled then 'settled' else 'released' end, charge, input, output, usage, reason,
    channel, upstream, streamed, abandoned, duration, first_byte, now(), o.tags);
  update wallet w set debits_pending = w.debits_pending - o.hold_amount,
      debits_posted = w.debits_posted + charge, open_holds = w.open_holds - 1,
      version = w.version + 1 where w.account_id = account;
  insert into usage_waiting (operation_id, account_id) values (p_id, account);
  if p_id < (select h.announced from ledger_seal_head h) then
    perform ledger_set_apart(array[p_id]);
  end if;
  if charge < due or cause is not null then
    perform ledger_note_loss(p_id, due - charge, cause, estimate, detail);
  end if;
  return 'd' || charge;
end
$$;

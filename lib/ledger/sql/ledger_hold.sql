-- Opens the holds of a batch: all of an account in full, or one by one where its points or a limit
-- are short. `everyone` has the accounts of the whole batch in the order in which every writer
-- locks wallets; `payers` has places in it. Answers in the order of `ids`, separated by commas: 'h'
-- and the amount held (then the rooms of its limits), or why not (ledger_hold_each); 'n' alone when
-- the node's lease is over. `ids` has each id once. Raises, and holds nothing, if one is not whole.
create or replace function ledger_hold(
  node_name text, everyone text[], ids uuid[], payers integer[], keys text[], sources text[],
  requests text[], families text[], dialects text[], models text[], prices bigint[],
  versions bigint[], ppms integer[], quotes bigint[], amounts bigint[], leasts bigint[],
  shas bytea[], seconds integer[], tags jsonb[] default null, of_task boolean default false
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  opened_at timestamptz := now();
  spots tid[];
  rooms bigint[];
  is_limited boolean;
  members text[];
  answers text[];
  paid integer[];
begin
  if (array_position(amounts || leasts, null) is null and cardinality(ids)
      = all(array[cardinality(payers), cardinality(amounts), cardinality(leasts)])) is not true then
    raise exception 'hold: a request has no payer, amount or minimum' using errcode = '22004';
  end if;
  -- Whatever else is asked is asked in later statements: they see what the others committed that
  -- had the locks.
  select array_agg(l.spot), array_agg(l.room), bool_or(l.has_limits) into spots, rooms, is_limited
    from unnest(everyone) as e(account) left join lateral (
      select w.ctid as spot, w.has_limits,
             w.credits_posted - w.debits_posted - w.debits_pending as room
        from wallet w where w.account_id = e.account for update) l on true;
  if not exists (select from node where id = node_name and lease_until > clock_timestamp()) then
    return 'n';
  end if;
  answers := ledger_held_before(everyone, ids, payers);
  if is_limited then
    members := ledger_members(everyone, ids, keys);
    opened_at := ledger_renew_windows(everyone, keys, members, tags);
    rooms :=
      ledger_rooms_within_limits(everyone, rooms, payers, keys, members, tags, amounts);
  end if;
  if answers is null then
    with t as (
      select u.payer, sum(u.amount)::bigint as held, count(*)::integer as holds
        from unnest(payers, amounts) u(payer, amount) group by 1
    ), changed as (
      update wallet w set debits_pending = w.debits_pending + t.held,
          open_holds = w.open_holds + t.holds, version = w.version + 1
        from t where w.ctid = spots[t.payer] and rooms[t.payer] >= t.held
         and exists (select from account a where a.id = w.account_id and a.status = 'active')
        returning t.payer
    )
    select array_agg(payer) into paid from changed;
  end if;
  if paid @> payers then
    perform ledger_open(node_name, everyone, ids, payers, keys, sources, requests, families,
      dialects, models, prices, versions, ppms, quotes, amounts, shas, seconds, tags, opened_at,
      of_task);
    if not is_limited then return 'h' || array_to_string(amounts, ',h'); end if;
    return array_to_string(
      ledger_book_limits(everyone, payers, keys, members, tags, amounts), ',');
  end if;
  return ledger_hold_rest(node_name, everyone, paid, answers, opened_at, members, ids, payers, keys,
    sources, requests, families, dialects, models, prices, versions, ppms, quotes, amounts, leasts,
    shas, seconds, tags, of_task);
end
$$;

-- Opens one hold: of the amount, or of what points and limits leave where that is at least
-- `minimum`. Answers 'h' and the amount, with the rooms of its limits; 'w' no wallet; 'x'
-- suspended; 'i' points available and held; 'b' what a budget has left, and when it renews; 'c' the
-- requests that may run at once; 't' the tokens of a minute, and when it is over. The wallet is
-- locked.
create or replace function ledger_hold_each(
  node_name text, opened_at timestamptz, member text, id uuid, account text, key text, source text,
  request text, family text, dialect text, model text, price bigint, version bigint, ppm integer,
  quote bigint, amount bigint, minimum bigint, sha bytea, seconds integer, tags jsonb,
  of_task boolean
) returns text language plpgsql as $$
declare
  room bigint;
  pending bigint;
  state text;
  l record;
begin
  select w.credits_posted - w.debits_posted - w.debits_pending, w.debits_pending, a.status
    into room, pending, state
    from wallet w join account a on a.id = w.account_id where w.account_id = account;
  if not found then return 'w'; end if;
  if state <> 'active' then return 'x'; end if;
  for l in select * from ledger_limits_of(account, key, member, tags) loop
    if l.kind in ('running', 'tokens') then
      if l.room >= 1 then continue; end if;
      if l.kind = 'running' then return 'c' || l.budget; end if;
      return 't' || l.budget || ':' || l.ends;
    end if;
    if l.room < minimum then
      return 'b' || greatest(l.room, 0)
        || case when l.kind = 'lifetime' then '' else ':' || l.period || ':' || l.ends end
        || l.whose;
    end if;
    amount := least(amount, l.room);
  end loop;
  if room < minimum then return 'i' || room || ':' || pending; end if;
  amount := least(amount, room);
  update wallet w set debits_pending = w.debits_pending + amount, open_holds = w.open_holds + 1,
      version = w.version + 1 where w.account_id = account;
  perform ledger_open(node_name, array[account], array[id], array[1], array[key], array[source],
    array[request], array[family], array[dialect], array[model], array[price], array[version],
    array[ppm], array[quote], array[amount], array[sha], array[seconds], array[tags], opened_at,
    of_task);
  return (ledger_book_limits(array[account], array[1], array[key], array[member],
    array[tags], array[amount]))[1];
end
$$;

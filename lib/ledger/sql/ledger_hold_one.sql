-- Opens one hold for an account without limits that can pay it in full: the short way. Everything
-- else goes the way of batches. Answers as ledger_hold.
create or replace function ledger_hold_one(
  node_name text, p_id uuid, account text, key text, source text, request_name text, family text,
  dialect text, p_model text, price bigint, version bigint, ppm integer, quote bigint,
  amount bigint, minimum bigint, sha bytea, seconds integer, tags jsonb default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Locks the wallet. Whatever else is asked is asked in the next statement: it sees what others
  -- committed that had the lock.
  update wallet w set debits_pending = w.debits_pending + amount, open_holds = w.open_holds + 1,
      version = w.version + 1
    where w.account_id = account and not w.has_limits
      and w.credits_posted - w.debits_posted - w.debits_pending >= amount;
  if found then
    insert into open_request (id, account_id, api_key_id, source, request_id, family, dialect,
        model, price_version_id, model_version_id, multiplier_ppm, quote_amount, hold_amount,
        request_sha256, node_id, created_at, deadline, tags)
      select p_id, account, key, source, request_name, family, dialect,
             p_model, price, version, ppm, quote, amount,
             sha, node_name, now(), now() + make_interval(secs => seconds), tags
       where exists (select from account a where a.id = account and a.status = 'active')
         and exists (
           select from node n where n.id = node_name and n.lease_until > clock_timestamp())
         and exists (select from price_version p where p.id = price and p.model = p_model)
         and (key is null
           or exists (select from api_key k where k.id = key and k.account_id = account))
         and (version is null
           or exists (select from model_version v where v.id = version and v.model_id = p_model))
         and not exists (select from request r where r.id = p_id)
         and p_id >= ledger_first_id(now() - interval '5 minutes')
         and p_id < ledger_first_id(now() + interval '5 minutes')
      on conflict (id) do nothing;
    if found then return 'h' || amount; end if;
    update wallet w set debits_pending = w.debits_pending - amount, open_holds = w.open_holds - 1,
        version = w.version + 1 where w.account_id = account;
  end if;
  return ledger_hold(node_name, array[account], array[p_id], array[1], array[key],
    array[source], array[request_name], array[family], array[dialect], array[p_model],
    array[price], array[version], array[ppm], array[quote], array[amount], array[minimum],
    array[sha], array[seconds], array[tags]);
end
$$;

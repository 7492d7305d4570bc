-- Points leases: a process takes points of an account out of what is available, and covers holds with them in its memory. A request of a
-- lease is one write, its end: operation and settlement together. Leased points count in the wallet's debits_pending, so every other
-- process sees them as held, and the wallet's checks cover them.
set local lock_timeout = '5s';

create table points_lease (
  id         uuid primary key,
  account_id text not null references wallet,
  node_id    text not null,
  -- What the process may still promise, with what it has promised.
  points     bigint not null,
  opened_at  timestamptz not null default now(),
  constraint points_lease_points check (points between 0 and 1000000000000000)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
create index points_lease_account on points_lease (account_id);
create index points_lease_node on points_lease (node_id);

-- A lease never grows: a process that needs more takes another, so that a statement sent twice takes nothing twice.
create trigger points_lease_only_shrinks before update on points_lease for each row
  when (new.id <> old.id or new.account_id <> old.account_id or new.node_id <> old.node_id or new.points > old.points)
  execute function ledger_refuse();
create trigger points_lease_no_truncate before truncate on points_lease for each statement execute function ledger_refuse();

-- True for an operation that was written together with its end: it never stood in the queue. A default that is constant rewrites no rows.
alter table operation add column was_leased boolean not null default false;

-- As before, and operations of leases stay out of the queue: they must have their end already.
create or replace function operation_opens() returns trigger language plpgsql as $$
declare named bigint;
begin
  -- Joins by primary key: a subquery per row might be planned as a scan of every key there is.
  select count(*) into named from opened o
    join wallet w on w.account_id = o.account_id
    join price_version p on p.id = o.price_version_id and p.model = o.model
    left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id
    where o.api_key_id is null or k.id is not null;
  if named <> (select count(*) from opened) then
    raise exception 'operation: the wallet, the key or the price is not there' using errcode = 'foreign_key_violation', constraint = 'operation_names_what_exists';
  end if;
  if exists (select from opened o left join settlement s on s.operation_id = o.id and s.account_id = o.account_id and s.hold_amount = o.hold_amount
              where o.was_leased and s.operation_id is null) then
    raise exception 'operation: one of a lease is written with its end' using errcode = 'foreign_key_violation', constraint = 'operation_leased_has_ended';
  end if;
  insert into open_operation (operation_id, account_id, api_key_id, model, hold_amount, node_id, deadline)
    select id, account_id, api_key_id, model, hold_amount, node_id, deadline from opened where not was_leased;
  return null;
end $$;

-- As before, or its operation was written with it.
create or replace function settlement_ends() returns trigger language plpgsql as $$
declare
  taken bigint;
  leased bigint;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  if taken <> (select count(*) from ended) then
    select count(*) into leased from ended e
      join operation o on o.id = e.operation_id and o.account_id = e.account_id and o.hold_amount = e.hold_amount and o.was_leased;
    if taken + leased <> (select count(*) from ended) then
      raise exception 'settlement: no open operation with this account and hold' using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
    end if;
  end if;
  return null;
end $$;

-- Takes a lease of `wanted` points, at most a quarter of what is available. Answers l<points> leased, now or before under the same id ·
-- n this node's lease has run out · x account not active · b a key of the account has a budget · i<available> too little · w no wallet.
create function ledger_lease(node_name text, lease uuid, account text, wanted bigint, least_points bigint) returns text language plpgsql as $$
declare
  available bigint;
  state text;
  granted bigint;
begin
  select w.credits_posted - w.debits_posted - w.debits_pending into available from wallet w where w.account_id = account for update;
  if not found then return 'w'; end if;
  if not exists (select from node n where n.id = node_name and n.lease_until > clock_timestamp()) then return 'n'; end if;
  select l.points into granted from points_lease l where l.id = lease and l.account_id = account and l.node_id = node_name;
  if found then return 'l' || granted; end if;
  select a.status into state from account a where a.id = account;
  if state <> 'active' then return 'x'; end if;
  if exists (select from api_key_budget b where b.account_id = account) then return 'b'; end if;
  granted := least(wanted, available / 4);
  if granted < greatest(least_points, 1) then return 'i' || available; end if;
  insert into points_lease (id, account_id, node_id, points) values (lease, account, node_name, granted);
  update wallet set debits_pending = debits_pending + granted, version = version + 1 where account_id = account;
  return 'l' || granted;
end $$;

-- Gives back what is left of leases of `node_name`; those that are gone already change nothing. Answers how many there were.
create function ledger_return_leases(node_name text, leases uuid[]) returns integer language plpgsql as $$
declare returned integer;
begin
  perform from (select w.account_id from wallet w
                 where w.account_id in (select l.account_id from points_lease l where l.id = any(leases) and l.node_id = node_name)
                 order by w.account_id for update) locked;
  with gone as (
    delete from points_lease l where l.id = any(leases) and l.node_id = node_name returning l.account_id, l.points
  ), changed as (
    update wallet w set debits_pending = w.debits_pending - t.points, version = w.version + 1
      from (select account_id, sum(points)::bigint as points from gone group by account_id) t where w.account_id = t.account_id
  )
  select count(*) into returned from gone;
  return returned;
end $$;

-- The leases of nodes that are gone, or that are dead and among `emptied`: nodes whose spools were replayed after they had died.
create function ledger_return_orphans(emptied text[]) returns integer language plpgsql as $$
declare
  returned integer := 0;
  is_live boolean;
  r record;
begin
  for r in select l.node_id, array_agg(l.id) as leases from points_lease l left join node n on n.id = l.node_id
            where n.id is null or (n.lease_until < clock_timestamp() and n.id = any(emptied)) group by l.node_id order by l.node_id loop
    -- The node may come back: it renews its row first, waits for this lock, and then finds its leases gone.
    select n.lease_until > clock_timestamp() into is_live from node n where n.id = r.node_id for update;
    if is_live is not true then returned := returned + ledger_return_leases(r.node_id, r.leases); end if;
  end loop;
  return returned;
end $$;

-- Ends of operations that a lease covers. Each carries its hold, and is written with it. Answers, joined by commas:
--   d<amount> done · s<amount> settled before · r0 released before, in capitals when it was written with its end · o its hold stands in the
--   queue: it is ended as any other · l its lease is gone, so it was released, with a loss.
-- Beyond what its lease has, a charge fails on the check of the lease; a process never promises so much.
create function ledger_apply_leased(node_name text, accounts text[], ends json) returns text language plpgsql as $$
declare answers text;
begin
  perform from (select w.account_id from wallet w where w.account_id = any(accounts) order by w.account_id for update) locked;
  with e as materialized (
    select y.*, case when is_charge then least(amount, held) else 0 end as charged
      from (select x.*, q.operation_id is not null as is_open, s.outcome as earlier, s.amount as earlier_amount,
                   q.operation_id is null and s.operation_id is null as is_new,
                   x.settled and q.operation_id is null and s.operation_id is null and coalesce(l.points >= x.held, false) as is_charge
              from json_to_recordset(ends) as x(i integer, id uuid, account text, settled boolean, amount bigint, input bigint, output bigint, usage jsonb,
                     reason text, channel text, upstream text, stream boolean, abandoned boolean, duration integer, first integer,
                     cause text, estimate bigint, detail jsonb, lease uuid, held bigint, age integer, key text, source text, request text, family text,
                     dialect text, model text, price bigint, ppm integer, quote bigint, sha text, seconds integer)
              left join open_operation q on q.operation_id = x.id and q.account_id = x.account
              left join settlement s on s.operation_id = x.id and s.account_id = x.account
              left join points_lease l on l.id = x.lease and l.account_id = x.account) y
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                           request_sha256, dialect, node_id, created_at, deadline, was_leased)
      select id, account, key, source, request, family, model, price, ppm, quote, held, decode(sha, 'hex'), dialect, node_name,
             now() - make_interval(secs => age / 1000.0), now() + make_interval(secs => seconds), true from e where is_new
  ), ended as (
    insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
                            upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms)
      select id, account, held, case when is_charge then 'settled' else 'released' end, charged, input, output, usage,
             case when settled and not is_charge then 'lease_lost' else reason end, channel, upstream, stream, abandoned, duration, first
        from e where is_new
  ), drawn as (
    update points_lease l set points = l.points - t.charged
      from (select lease, sum(charged)::bigint as charged from e where is_charge group by lease) t where l.id = t.lease and t.charged > 0
  ), changed as (
    update wallet w set debits_pending = w.debits_pending - t.charged, debits_posted = w.debits_posted + t.charged, version = w.version + 1
      from (select account, sum(charged)::bigint as charged from e where is_charge group by account) t where w.account_id = t.account and t.charged > 0
  ), used as (
    insert into usage_day as u (account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount)
      select account, coalesce(key, ''), model, (now() at time zone 'UTC')::date, count(*), sum(input), sum(output), sum(charged)
        from e where is_charge group by 1, 2, 3, 4
      on conflict (account_id, day, api_key_id, model) do update set
        requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens, amount = u.amount + excluded.amount
  ), lost as (
    insert into operator_loss (operation_id, cause, estimate, detail)
      select id, cause, estimate, detail from e where is_new and cause is not null
      union all
      select id, 'usage_over_hold', amount - charged, null from e where is_charge and amount > charged
      union all
      select id, 'crash_unknown', amount, '{"reason": "lease_lost"}'::jsonb from e where is_new and settled and not is_charge
  )
  select string_agg(case when is_open then 'o'
                         when earlier is not null then (select case when o.was_leased then upper(case earlier when 'settled' then 's' else 'r' end)
                                                               else case earlier when 'settled' then 's' else 'r' end end || earlier_amount from operation o where o.id = e.id)
                         when settled and not is_charge then 'l' else 'd' || charged end, ',' order by i)
    into answers from e;
  return answers;
end $$;

-- Writes holds that a lease covers into the queue, where everybody sees them: their points move from the lease to the hold. Answers, joined
-- by commas: h<amount> it stands there, now or before · e it has ended · l its lease is gone.
create function ledger_write_down(node_name text, accounts text[], holds json) returns text language plpgsql as $$
declare answers text;
begin
  perform from (select w.account_id from wallet w where w.account_id = any(accounts) order by w.account_id for update) locked;
  with h as materialized (
    select x.*, o.hold_amount as earlier, s.operation_id is not null as has_ended,
           coalesce(l.points >= x.held, false) as is_covered
      from json_to_recordset(holds) as x(i integer, id uuid, account text, lease uuid, held bigint, age integer, key text, source text, request text,
             family text, dialect text, model text, price bigint, ppm integer, quote bigint, sha text, seconds integer)
      left join operation o on o.id = x.id
      left join settlement s on s.operation_id = x.id
      left join points_lease l on l.id = x.lease and l.account_id = x.account
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                           request_sha256, dialect, node_id, created_at, deadline)
      select id, account, key, source, request, family, model, price, ppm, quote, held, decode(sha, 'hex'), dialect, node_name,
             now() - make_interval(secs => age / 1000.0), now() + make_interval(secs => seconds) from h where earlier is null and is_covered
  ), drawn as (
    update points_lease l set points = l.points - t.held
      from (select lease, sum(held)::bigint as held from h where earlier is null and is_covered group by lease) t where l.id = t.lease
  ), changed as (
    update wallet w set open_holds = w.open_holds + t.holds, version = w.version + 1
      from (select account, count(*)::integer as holds from h where earlier is null and is_covered group by account) t where w.account_id = t.account
  )
  select string_agg(case when has_ended then 'e' when earlier is not null then 'h' || earlier when is_covered then 'h' || held else 'l' end, ',' order by i)
    into answers from h;
  return answers;
end $$;

-- The two functions that may not pass over a lease. A key gets a budget only while nothing of its account is leased: what runs in the
-- memory of a process would not count. An account is erased only then.
do $$
declare definition text;
begin
  definition := pg_get_functiondef('ledger_set_key_budget(text,text,bigint)'::regprocedure);
  definition := replace(definition, '  if new_budget is null then', '  if new_budget is not null and exists (select from points_lease l where l.account_id = account) then
    raise exception ''points of the account are leased'' using errcode = ''lock_not_available'';
  end if;
  if new_budget is null then');
  if definition !~ 'points_lease' then raise exception 'ledger_set_key_budget is not as the migrations made it'; end if;
  execute definition;
  definition := pg_get_functiondef('account_erase(text)'::regprocedure);
  definition := replace(definition, 'where account_id = erased;
  if running', 'where account_id = erased;
  running := running + (select count(*) from points_lease where account_id = erased);
  if running');
  if definition !~ 'points_lease' then raise exception 'account_erase is not as the migrations made it'; end if;
  execute definition;
  definition := pg_get_functiondef('ledger_give_node_up(text,text)'::regprocedure);
  definition := replace(definition, '  return open;', '  perform ledger_return_leases(node_name, array(select l.id from points_lease l where l.node_id = node_name));
  return open;');
  if definition !~ 'ledger_return_leases' then raise exception 'ledger_give_node_up is not as the migrations made it'; end if;
  execute definition;
end $$;

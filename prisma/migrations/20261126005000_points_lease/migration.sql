-- Points leases: a process may take a part of an account's points for itself, open holds against it in its own memory, and write each of
-- them together with its end, in one commit. What is leased is nobody else's: credits - debits - pending - leased is what others can get.
-- To its owner it is still available, so what pages show does not change. Processes of the release before take no leases; the functions
-- that they call count what others have leased. While another transaction uses the tables, new ones would wait behind this one, so it
-- gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

alter table wallet
  add column leased      bigint not null default 0,
  -- Recalled: no lease is given before.
  add column leases_from timestamptz,
  add constraint wallet_leased_bounded check (leased >= 0 and debits_posted + debits_pending + leased <= credits_posted);
-- An operation that was written together with its end. It never waits in the queue.
alter table operation add column is_whole boolean not null default false;

-- What one process has of one account. Rows change only under the lock of the wallet, and wallet.leased is their sum.
create table points_lease (
  account_id text not null references wallet,
  node_id    text not null,
  amount     bigint not null,
  -- The last change that its process wanted, by its own count, and what that granted: one that arrives late or twice changes nothing.
  act        bigint not null,
  granted    bigint not null,
  since      timestamptz not null default now(),
  primary key (account_id, node_id),
  constraint points_lease_amount check (amount >= 0 and granted >= 0),
  constraint points_lease_act check (act > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0.05);
create index points_lease_node on points_lease (node_id);
create trigger points_lease_fixed before update on points_lease for each row
  when (new.account_id <> old.account_id or new.node_id <> old.node_id or new.act < old.act)
  execute function ledger_refuse();
create trigger points_lease_no_truncate before truncate on points_lease for each statement execute function ledger_refuse();

-- A lease ends with its process, whoever removes it: what is left goes back in the same commit.
create function points_lease_end() returns trigger language plpgsql as $$
begin
  perform from (select w.account_id from wallet w where w.account_id in (select l.account_id from points_lease l where l.node_id = old.id)
                 order by w.account_id for update) locked;
  with gone as (
    delete from points_lease where node_id = old.id returning account_id, amount
  )
  update wallet w set leased = w.leased - g.amount, version = w.version + 1 from gone g where g.account_id = w.account_id;
  return old;
end $$;
create trigger points_lease_end before delete on node for each row execute function points_lease_end();

-- Nobody may be promised anything for an account that is no longer active.
create function points_lease_stop() returns trigger language plpgsql as $$
begin
  -- Whether or not any are leased: a lease that is being given at this moment comes before this, or sees it.
  update wallet set leases_from = clock_timestamp() + interval '10 seconds', version = version + 1 where account_id = new.id;
  perform pg_notify('relay_change', 'points_lease:' || new.id);
  return null;
end $$;
create trigger points_lease_stop after update of status on account for each row when (new.status <> 'active' and new.status <> old.status)
  execute function points_lease_stop();

-- Wants all leases of an account back and gives none for ten seconds. Answers how much is leased.
create function ledger_recall(account text) returns bigint language plpgsql as $$
declare out_there bigint;
begin
  if not exists (select from wallet where account_id = account and leased > 0) then return 0; end if;
  select leased into out_there from wallet where account_id = account for update;
  if out_there = 0 then return 0; end if;
  update wallet set leases_from = clock_timestamp() + interval '10 seconds', version = version + 1 where account_id = account;
  perform pg_notify('relay_change', 'points_lease:' || account);
  return out_there;
end $$;

-- Changes of the leases of one process, in order. Called under the locks of the wallets. Answers one text each, joined by commas:
--   t<granted>[:<key>:<key>…] taken (0: not now), with the keys that have limits · g given back · l there is no such lease
create function ledger_lease_acts(node_name text, acts json) returns text language plpgsql as $$
declare
  answers text[] := '{}';
  keys_max constant integer := 1000;
  is_alive boolean;
  is_repeated boolean;
  gain bigint;
  l points_lease;
  a record;
begin
  for a in
    select * from json_to_recordset(acts) as x(i integer, account text, act bigint, kind text, amount bigint, rest bigint, first boolean)
      order by x.i
  loop
    select * into l from points_lease p where p.account_id = a.account and p.node_id = node_name;
    is_repeated := l.act is not null and l.act >= a.act;
    gain := case when l.act = a.act then l.granted else 0 end;
    if not is_repeated and (a.kind = 'close' or a.kind = 'take' and a.first) then
      delete from points_lease p where p.account_id = a.account and p.node_id = node_name;
      update wallet w set leased = w.leased - l.amount, version = w.version + 1 where w.account_id = a.account and l.amount > 0;
      l := null;
    end if;
    if is_repeated or a.kind = 'close' then
      null;
    elsif l.act is null and not a.first then
      answers := answers || 'l'::text;
      continue;
    elsif a.kind = 'give' then
      update points_lease p set amount = p.amount - a.amount, act = a.act, granted = 0 where p.account_id = a.account and p.node_id = node_name;
      update wallet w set leased = w.leased - a.amount, version = w.version + 1 where w.account_id = a.account;
    else
      -- A process that is being removed at this moment counts as dead: its removal waits for the wallets, and must not be waited for.
      if is_alive is null then
        perform from node n where n.id = node_name and n.lease_until > clock_timestamp() for key share skip locked;
        is_alive := found;
      end if;
      gain := coalesce((select a.amount from wallet w join account o on o.id = w.account_id
                         where w.account_id = a.account and is_alive and o.status = 'active' and a.amount > 0 and a.rest >= 0
                           and coalesce(w.leases_from <= clock_timestamp(), true)
                           and w.credits_posted - w.debits_posted - w.debits_pending - w.leased >= a.amount + a.rest
                           and (select count(*) from (select from api_key_budget b where b.account_id = a.account limit keys_max + 1) b) <= keys_max
                           -- Who orders is not looked up for a hold in memory.
                           and not exists (select from member_budget b where b.account_id = a.account)), 0);
      update wallet w set leased = w.leased + gain, version = w.version + 1 where w.account_id = a.account and gain > 0;
      if l.act is null then
        insert into points_lease (account_id, node_id, amount, act, granted) select a.account, node_name, gain, a.act, gain where gain > 0;
      else
        update points_lease p set amount = p.amount + gain, act = a.act, granted = gain where p.account_id = a.account and p.node_id = node_name;
      end if;
    end if;
    answers := answers || case when a.kind <> 'take' then 'g' else 't' || gain || coalesce((
      select ':' || string_agg(distinct b.api_key_id, ':') from api_key_budget b where b.account_id = a.account and gain > 0), '') end;
  end loop;
  return array_to_string(answers, ',');
end $$;

-- Holds that were opened in memory and end now, each written with its end. Called under the locks of the wallets. Answers one text each:
--   l<amount> from the lease · e<amount> not from it, but from what is available · x0 released, because that was too little ·
--   o<amount> the hold had been written, and ends now · s<amount> settled before · r0 released before · a no such account
create function ledger_apply_whole(node_name text, accounts text[], wholes json) returns text language plpgsql as $$
declare
  answer text;
  told text[];
  later json;
  first_id uuid;
  last_id uuid;
begin
  -- Ids are looked up within their own range, so that the plan opens the partition of today and no other.
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into first_id, last_id from json_to_recordset(wholes) as x(id uuid);
  with w as materialized (
    select x.*, o.id as known, least(x.amount, x.held) as due
      from json_to_recordset(wholes) as x(i integer, id uuid, account text, node text, key text, source text, request text, family text, model text,
             dialect text, price bigint, version bigint, ppm integer, quote bigint, held bigint, sha text, seconds integer, age integer,
             settled boolean, amount bigint, input bigint, output bigint, usage jsonb, reason text, channel text, upstream text, stream boolean,
             abandoned boolean, duration integer, first integer, cause text, estimate bigint, detail jsonb)
      left join lateral (select p.id from operation p where p.id = x.id and p.id between first_id and last_id offset 0) o on true
  ), leased as (
    select w.*, coalesce(l.amount, -1) as lease, sum(case when w.settled then w.due else 0 end) over (partition by w.account, w.node order by w.i) as upto
      from w left join points_lease l on l.account_id = w.account and l.node_id = w.node where w.known is null
  ), parted as (
    select l.*, l.upto <= l.lease as by_lease,
           sum(case when l.settled and l.upto > l.lease then l.due else 0 end) over (partition by l.account order by l.i) as beyond
      from leased l
  ), decided as materialized (
    select p.*, v.account_id is not null as has_wallet, p.settled and v.account_id is not null and (p.by_lease
             or p.beyond <= v.credits_posted - v.debits_posted - v.debits_pending - v.leased
                and not exists (select from api_key_budget b where b.api_key_id = p.key)
                and not exists (select from member_budget b where b.account_id = p.account)) as pays
      from parted p left join wallet v on v.account_id = p.account
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                           request_sha256, dialect, model_version_id, node_id, created_at, deadline, is_whole)
      select id, account, key, source, request, family, model, price, ppm, quote, held, decode(sha, 'hex'), dialect, version, node,
             now() - make_interval(secs => age / 1000.0), now() + make_interval(secs => seconds), true
        from decided where has_wallet
  ), ended as (
    insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
                            upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms)
      select id, account, held, case when pays then 'settled' else 'released' end, case when pays then due else 0 end,
             case when pays then input end, case when pays then output end, case when pays then usage end,
             case when settled and not pays then 'lease_lost' else reason end, channel, upstream, stream, abandoned, duration, first
        from decided where has_wallet
  ), changed as (
    update wallet v set debits_posted = v.debits_posted + t.charged, leased = v.leased - t.by_lease, version = v.version + 1
      from (select account, sum(due)::bigint as charged, coalesce(sum(due) filter (where by_lease), 0)::bigint as by_lease
              from decided where pays and due > 0 group by account) t
      where v.account_id = t.account
  ), paid as (
    update points_lease l set amount = l.amount - t.charged
      from (select account, node, sum(due)::bigint as charged from decided where pays and by_lease and due > 0 group by account, node) t
      where l.account_id = t.account and l.node_id = t.node
  ), used as (
    insert into usage_day as u (account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount)
      select account, coalesce(key, ''), model, (now() at time zone 'UTC')::date, count(*), sum(input), sum(output), sum(due)
        from decided where pays group by 1, 2, 3, 4
      on conflict (account_id, day, api_key_id, model) do update set
        requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens, amount = u.amount + excluded.amount
  ), lost as (
    insert into operator_loss (operation_id, cause, estimate, detail)
      select id, cause, estimate, detail from decided where has_wallet and cause is not null
      union all
      select id, 'usage_over_hold', amount - due, null from decided where pays and amount > due
      union all
      select id, 'crash_unknown', amount, '{"reason": "lease_lost"}' from decided where has_wallet and settled and not pays
  )
  select string_agg(t.told, ',' order by t.i) into answer from (
    select i, case when not has_wallet then 'a' when settled and not pays then 'x0'
                   else case when by_lease then 'l' else 'e' end || case when pays then due else 0 end end as told from decided
    union all
    select i, '?' from w where known is not null) t;

  -- What the database has already: open, because it was written, or ended.
  if position('?' in answer) = 0 then return answer; end if;
  told := string_to_array(answer, ',');
  select json_agg(e.item order by e.place) into later from json_array_elements(wholes) with ordinality e(item, place) where told[e.place] = '?';
  select string_agg(coalesce(case when left(k.told, 1) = 'd' then 'o' || substr(k.told, 2) else k.told end, t.told), ',' order by t.place) into answer
    from (select u.told, u.place, count(*) filter (where u.told = '?') over (order by u.place) as n from unnest(told) with ordinality u(told, place)) t
    left join unnest(string_to_array(split_part(ledger_apply(node_name, accounts, later, null), ';', 1), ',')) with ordinality k(told, n)
      on k.n = t.n and t.told = '?';
  return answer;
end $$;

-- Holds that were opened in memory and do not end soon: from the lease into what is held. Called under the locks of the wallets.
-- Answers w written, or written before · n not: the lease is gone.
create function ledger_apply_written(holds json) returns text language plpgsql as $$
declare
  answer text;
  first_id uuid;
  last_id uuid;
begin
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into first_id, last_id from json_to_recordset(holds) as x(id uuid);
  with h as (
    select x.*, o.id as known, coalesce(l.amount, -1) as lease,
           sum(case when o.id is null then x.held else 0 end) over (partition by x.account, x.node order by x.i) as upto
      from json_to_recordset(holds) as x(i integer, id uuid, account text, node text, key text, source text, request text, family text, model text,
             dialect text, price bigint, version bigint, ppm integer, quote bigint, held bigint, sha text, seconds integer, age integer)
      left join lateral (select p.id from operation p where p.id = x.id and p.id between first_id and last_id offset 0) o on true
      left join points_lease l on l.account_id = x.account and l.node_id = x.node
  ), told as materialized (
    select *, known is null and upto <= lease as is_covered from h
  ), covered as (
    select * from told where is_covered
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                           request_sha256, dialect, model_version_id, node_id, created_at, deadline)
      select id, account, key, source, request, family, model, price, ppm, quote, held, decode(sha, 'hex'), dialect, version, node,
             now() - make_interval(secs => age / 1000.0), now() + make_interval(secs => seconds) from covered
  ), changed as (
    update wallet v set debits_pending = v.debits_pending + t.held, leased = v.leased - t.held, open_holds = v.open_holds + t.holds,
                        version = v.version + 1
      from (select account, sum(held)::bigint as held, count(*)::integer as holds from covered group by account) t where v.account_id = t.account
  ), taken as (
    update points_lease l set amount = l.amount - t.held
      from (select account, node, sum(held)::bigint as held from covered group by account, node) t
      where l.account_id = t.account and l.node_id = t.node
  )
  select string_agg(case when known is not null or is_covered then 'w' else 'n' end, ',' order by i) into answer from told;
  return answer;
end $$;

-- As ledger_apply, with what belongs to leases: ends that are written with their holds, holds to be written, and changes of leases.
-- Answers their parts, separated by semicolons, in the order of the parameters.
create function ledger_apply_leased(node_name text, accounts text[], ends json, holds json, wholes json, written json, acts json) returns text
language plpgsql as $$
declare
  wholes_answer text := '';
  written_answer text := '';
  acts_answer text := '';
  answer text := ';';
begin
  -- One plan for all batches: with every partition that there is, planning would cost more than the batch.
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  perform from (select w.account_id from wallet w where w.account_id = any(accounts) order by w.account_id for update) locked;
  if wholes is not null then wholes_answer := ledger_apply_whole(node_name, accounts, wholes); end if;
  if written is not null then written_answer := ledger_apply_written(written); end if;
  if acts is not null then acts_answer := ledger_lease_acts(node_name, acts); end if;
  if ends is not null or holds is not null then answer := coalesce(ledger_apply(node_name, accounts, ends, holds), ';'); end if;
  return answer || ';' || wholes_answer || ';' || written_answer || ';' || acts_answer;
end $$;

-- The rules of operations and ends, as they stand, but for what is written whole: it needs its end in the same statement, and no place in
-- the queue.
create or replace function settlement_ends() returns trigger language plpgsql as $$
declare
  taken bigint;
  due bigint;
  first_id uuid;
  last_id uuid;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  select count(*) into due from ended;
  if taken <> due then
    -- Looked up by its id alone, within the range of all: a plan made while the table was small must not read all operations of the
    -- account when it has grown, nor open every partition.
    select (array_agg(operation_id order by operation_id))[1], (array_agg(operation_id order by operation_id desc))[1] into first_id, last_id from ended;
    select taken + count(*) filter (where o.is_whole and o.account_id = e.account_id and o.hold_amount = e.hold_amount) into taken
      from ended e left join lateral (
        select p.is_whole, p.account_id, p.hold_amount from operation p
          where p.id = e.operation_id and p.id between first_id and last_id offset 0
      ) o on true;
  end if;
  if taken <> due then
    raise exception 'settlement: no open operation with this account and hold' using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
  end if;
  insert into usage_waiting (operation_id, account_id) select operation_id, account_id from ended;
  return null;
end $$;

do $migration$
declare
  signature regprocedure;
  definition text;
  free constant text := 'w.credits_posted - w.debits_posted - w.debits_pending';
begin
  definition := pg_get_functiondef('operation_opens()'::regprocedure);
  definition := replace(definition, 'hold_amount, node_id, deadline from opened;', 'hold_amount, node_id, deadline from opened where not is_whole;
  select (array_agg(o.id order by o.id))[1], (array_agg(o.id order by o.id desc))[1] into first_whole, last_whole from opened o where o.is_whole;
  -- One after the other: what is not asked opens no settlements.
  if first_whole is not null then
    if exists (select from opened o where o.is_whole and not exists (
         select from settlement s where s.operation_id = o.id and s.operation_id between first_whole and last_whole offset 0)) then
      raise exception ''operation: written whole, but without its end'' using errcode = ''integrity_constraint_violation'', constraint = ''operation_whole_has_end'';
    end if;
  end if;');
  definition := regexp_replace(definition, '\mdeclare\s', E'declare\n  first_whole uuid;\n  last_whole uuid;\n  ');
  if definition !~ 'operation_whole_has_end' then raise exception 'operation_opens() is not as the migrations made it'; end if;
  execute definition;

  -- What others have leased is not available to a hold.
  foreach signature in array array['ledger_apply(text,text[],json,json)', 'ledger_apply_one_by_one(text,json,text)']::regprocedure[] loop
    definition := pg_get_functiondef(signature);
    if position(free in definition) = 0 then raise exception '% is not as the migrations made it', signature; end if;
    execute replace(definition, free, free || ' - w.leased');
  end loop;
  -- Nor can it be taken away.
  foreach signature in array array['ledger_credit(text,text,text,bigint,text,text)', 'ledger_reverse(text,text,bigint,bigint,text)']::regprocedure[] loop
    definition := pg_get_functiondef(signature);
    if position('credits_posted - debits_posted - debits_pending into' in definition) = 0 then
      raise exception '% is not as the migrations made it', signature;
    end if;
    execute replace(definition, 'credits_posted - debits_posted - debits_pending into', 'credits_posted - debits_posted - debits_pending - leased into');
  end loop;

  -- The first limit of a key is set while no points of its account are leased: a hold in the memory of a process would not count in it.
  definition := pg_get_functiondef('ledger_set_key_limit(text,text,text,bigint,text)'::regprocedure);
  if position('  if new_limit is null then' in definition) = 0 then raise exception 'ledger_set_key_limit is not as the migrations made it'; end if;
  execute replace(definition, '  if new_limit is null then', '  if new_limit is not null and exists (select from wallet where account_id = account and leased > 0)
     and not exists (select from api_key_budget where api_key_id = key) then
    raise exception ''points of the account are leased'' using errcode = ''lock_not_available'';
  end if;
  if new_limit is null then');

  -- So is the first budget in an account: nothing is leased while a member has one.
  definition := pg_get_functiondef('ledger_set_member_budget(text,text,text,bigint,text)'::regprocedure);
  if position('  if new_budget is null then' in definition) = 0 then raise exception 'ledger_set_member_budget is not as the migrations made it'; end if;
  execute replace(definition, '  if new_budget is null then', '  if new_budget is not null and exists (select from wallet where account_id = account and leased > 0) then
    raise exception ''points of the account are leased'' using errcode = ''lock_not_available'';
  end if;
  if new_budget is null then');

  -- A request may run in the memory of a process that has a lease.
  definition := pg_get_functiondef('account_erase(text)'::regprocedure);
  if position('from open_operation where account_id = erased;' in definition) = 0 then raise exception 'account_erase is not as the migrations made it'; end if;
  execute replace(definition, 'from open_operation where account_id = erased;', 'from open_operation where account_id = erased;
  running := running + (ledger_recall(erased) > 0)::integer;');
end $migration$;

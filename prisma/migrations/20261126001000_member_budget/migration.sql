-- Budgets of members: points in a day, a week or a month of a time zone, over all that a member orders in an account: with the keys that
-- the member made, and in the playground. Held in the batch function, as the keys' limits are. While another transaction uses the tables,
-- new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

-- Only members with a budget have rows. They change only under the lock of their account's wallet.
create table member_budget (
  account_id text not null references wallet,
  user_id    text not null,
  kind       text not null,
  budget     bigint not null,
  spent      bigint not null default 0,
  held       bigint not null default 0,
  zone       text not null,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null,
  primary key (account_id, user_id, kind),
  constraint member_budget_kind check (kind in ('day', 'week', 'month')),
  constraint member_budget_amounts check (budget between 0 and 1000000000000000 and spent >= 0 and held >= 0),
  constraint member_budget_window check (starts_at < ends_at)
) with (fillfactor = 50);
create trigger member_budget_no_truncate before truncate on member_budget for each statement execute function ledger_refuse();

-- As for keys: a budget may be set below what was spent; nothing may be added beyond it. A window begins where an earlier one is over.
create trigger member_budget_bound before update on member_budget for each row
  when (new.account_id <> old.account_id or new.user_id <> old.user_id or new.kind <> old.kind
        or new.starts_at <> old.starts_at and new.starts_at < old.ends_at
        or new.starts_at = old.starts_at and new.spent < old.spent
        or new.spent + new.held > new.budget and (new.starts_at <> old.starts_at or new.spent + new.held > old.spent + old.held))
  execute function ledger_refuse();

-- The maker of a key never changes, and the note of who ordered in the playground is kept once its operation is there: what an operation
-- held is given back to the member for whom it was held.
create trigger api_key_maker_fixed before update of created_by on api_key for each row
  when (new.created_by is distinct from old.created_by) execute function ledger_refuse();
create function playground_operation_kept() returns trigger language plpgsql as $$
begin
  -- A hold that is under way is committed before the look.
  perform from wallet where account_id = old.account_id for update;
  if exists (select from operation where id = old.operation_id) then return null; end if;
  return old;
end $$;
create trigger playground_operation_kept before delete on playground_operation for each row execute function playground_operation_kept();

-- A budget ends with the membership.
create function member_budget_ends() returns trigger language plpgsql as $$
begin
  perform from wallet where account_id = old.account_id for update;
  delete from member_budget where account_id = old.account_id and user_id = old.user_id;
  return null;
end $$;
create trigger member_budget_ends after delete on account_member for each row execute function member_budget_ends();

-- The user who ordered an operation; null where nobody is known.
create function ledger_member(operation_id uuid, key text) returns text language sql stable as $$
  select case when $2 is null then (select p.user_id from playground_operation p where p.operation_id = $1)
              else (select k.created_by from api_key k where k.id = $2) end
$$;

-- What is left of each budget of the members who order these holds, under one word for each member; a window that is over begins anew, and
-- what was opened in it will end without touching the new one. Called under the wallets' locks, as the next two.
create function ledger_member_rooms(holds json, moment timestamptz)
returns table (member text, kind text, place integer, budget bigint, room bigint, ends bigint) language plpgsql as $$
begin
  update member_budget b set (starts_at, ends_at, spent, held) =
      (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0 from ledger_key_window(b.kind, b.zone, moment) w)
    from (select distinct x.account, ledger_member(x.id, x.key) as user_id from json_to_recordset(holds) as x(id uuid, account text, key text)) m
    where b.account_id = m.account and b.user_id = m.user_id and b.ends_at <= moment;
  return query
    select b.account_id || ' ' || b.user_id, 'member_' || b.kind, array_position(array['month', 'week', 'day'], b.kind), b.budget,
           b.budget - b.spent - b.held, ceil(extract(epoch from b.ends_at))::bigint
      from member_budget b
      join (select distinct x.account, ledger_member(x.id, x.key) as user_id from json_to_recordset(holds) as x(id uuid, account text, key text)) m
        on m.account = b.account_id and m.user_id = b.user_id;
end $$;

-- Adds what these operations, opened in this transaction, hold.
create function ledger_member_hold(ids uuid[]) returns void language plpgsql as $$
begin
  update member_budget b set held = b.held + t.held
    from (select o.account_id, ledger_member(o.id, o.api_key_id) as user_id, sum(o.hold_amount)::bigint as held
            from operation o where o.id = any(ids) group by 1, 2) t
    where b.account_id = t.account_id and b.user_id = t.user_id;
end $$;

-- Gives back what these operations, ended in this transaction, held, and counts what was used: in the windows in which they were opened.
create function ledger_member_end(ids uuid[]) returns void language plpgsql as $$
begin
  update member_budget b set held = b.held - t.held, spent = b.spent + t.used
    from (select l.account_id, l.user_id, l.kind, sum(s.hold_amount)::bigint as held, sum(s.amount)::bigint as used
            from settlement s join operation o on o.id = s.operation_id
            join member_budget l on l.account_id = o.account_id and l.user_id = ledger_member(o.id, o.api_key_id) and l.starts_at <= o.created_at
           where s.operation_id = any(ids) group by 1, 2, 3) t
    where b.account_id = t.account_id and b.user_id = t.user_id and b.kind = t.kind;
end $$;

-- Sets a budget of a member, or lifts it with null. False: the account has no such member. A window counts what is opened from now on; a
-- new amount or zone keeps what was counted.
create function ledger_set_member_budget(account text, member text, budget_kind text, new_budget bigint, budget_zone text) returns boolean
language plpgsql as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if not exists (select from account_member where account_id = account and user_id = member) then return false; end if;
  if new_budget is null then
    delete from member_budget where account_id = account and user_id = member and kind = budget_kind;
    return true;
  end if;
  -- After everything that was opened before: an operation belongs to the window exactly if it was opened from its beginning on.
  select greatest(clock_timestamp(), max(o.created_at) + interval '1 microsecond') into moment
    from open_operation q join operation o on o.id = q.operation_id where q.account_id = account;
  select * into w from ledger_key_window(budget_kind, budget_zone, moment);
  update member_budget b set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.account_id = account and b.user_id = member and b.kind = budget_kind and b.ends_at <= moment;
  insert into member_budget as b (account_id, user_id, kind, budget, zone, starts_at, ends_at)
    values (account, member, budget_kind, new_budget, budget_zone, moment, w.ends_at)
    on conflict (account_id, user_id, kind) do update set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end $$;

-- The batch functions keep the rights and the path they run with. An account in which nobody has a budget costs one look for the batch. A
-- refusal is written as one of a key's budget with one word more, so that a process of the release before reads it as that.
do $migration$
declare
  signature text;
  definition text;
  part text[];
  parts text[][] := array[
    ['ledger_apply(text,text[],json,json)', '  moment timestamptz;
', '  moment timestamptz;
  has_members boolean;
  ended uuid[];
'],
    ['ledger_apply(text,text[],json,json)', '  moment := clock_timestamp();
', '  moment := clock_timestamp();
  has_members := exists (select from member_budget b where b.account_id = any(accounts));
'],
    ['ledger_apply(text,text[],json,json)', ''','' order by e.i)
      into ends_answer from e;
', ''','' order by e.i), array_agg(e.id) filter (where has_members and e.hold_amount is not null)
      into ends_answer, ended from e;
    if ended is not null then perform ledger_member_end(ended); end if;
'],
    ['ledger_apply(text,text[],json,json)', 'exists (select from api_key_budget b where b.api_key_id = x.key) as has_budget
', 'exists (select from api_key_budget b where b.api_key_id = x.key)
             or has_members and exists (select from member_budget b where b.account_id = x.account and b.user_id = ledger_member(x.id, x.key)) as has_budget
'],
    ['ledger_apply_one_by_one(text,json,text)', '  stopped integer;
', '  has_members boolean;
  stopped integer;
  nth integer;
'],
    ['ledger_apply_one_by_one(text,json,text)', '  for r in
    select x.i,', '  has_members := exists (select from json_to_recordset(holds) as x(account text) join member_budget b on b.account_id = x.account);
  if has_members then
    select limit_key || array_agg(l.member order by l.member, l.place), limit_kind || array_agg(l.kind order by l.member, l.place),
           limit_max || array_agg(l.budget order by l.member, l.place), limit_left || array_agg(l.room order by l.member, l.place),
           limit_end || array_agg(l.ends order by l.member, l.place)
      into limit_key, limit_kind, limit_max, limit_left, limit_end from ledger_member_rooms(holds, moment) l;
  end if;
  for r in
    with limited as materialized (
      select u.key, array_agg(u.n::integer order by u.n) as limits, bool_or(limit_kind[u.n::integer] <> ''lifetime'') as tells
        from unnest(limit_key) with ordinality as u(key, n) group by u.key
    )
    select x.i,'],
    ['ledger_apply_one_by_one(text,json,text)',
     'coalesce(k.lowest, 1) as lowest, coalesce(k.highest, 0) as highest, coalesce(k.tells, false) as tells
      from json_to_recordset(holds) as x(i integer, account text,',
     'coalesce(k.limits, ''{}'') || coalesce(m.limits, ''{}'') as limits,
           coalesce(k.tells, false) or m.limits is not null as tells
      from json_to_recordset(holds) as x(i integer, id uuid, account text,'],
    ['ledger_apply_one_by_one(text,json,text)',
     '      left join (select u.key, min(u.n)::integer as lowest, max(u.n)::integer as highest, bool_or(limit_kind[u.n::integer] <> ''lifetime'') as tells
                   from unnest(limit_key) with ordinality as u(key, n) group by u.key) k on k.key = x.key
',
     '      left join limited k on k.key = x.key
      left join limited m on has_members and m.key = x.account || '' '' || ledger_member(x.id, x.key)
'],
    ['ledger_apply_one_by_one(text,json,text)', 'for n in r.lowest..r.highest loop', 'foreach nth in array r.limits loop'],
    ['ledger_apply_one_by_one(text,json,text)', 'limit_kind[n]', 'limit_kind[nth]'],
    ['ledger_apply_one_by_one(text,json,text)', 'limit_left[n]', 'limit_left[nth]'],
    ['ledger_apply_one_by_one(text,json,text)', 'stopped := n;', 'stopped := nth;'],
    ['ledger_apply_one_by_one(text,json,text)', ''':'' || limit_kind[stopped] || '':'' || limit_end[stopped] end;',
     ''':'' || replace(limit_kind[stopped], ''member_'', '''') || '':'' || limit_end[stopped]
             || case when limit_kind[stopped] like ''member%'' then '':member'' else '''' end end;'],
    ['ledger_apply_one_by_one(text,json,text)',
     'greatest(moment, (select max(b.starts_at) from api_key_budget b where b.api_key_id = x.key and b.zone is not null)) as opened_at',
     'greatest(moment, (select max(b.starts_at) from api_key_budget b where b.api_key_id = x.key and b.zone is not null),
               case when has_members then (select max(b.starts_at) from member_budget b
                 where b.account_id = x.account and b.user_id = ledger_member(x.id, x.key)) end) as opened_at'],
    ['ledger_apply_one_by_one(text,json,text)', 'group by account) t where w.account_id = t.account;
', 'group by account) t where w.account_id = t.account;
    if has_members then
      perform ledger_member_hold(array(select x.id from json_to_recordset(holds) as x(i integer, id uuid) where x.i = any(granted_item)));
    end if;
']];
begin
  foreach signature in array array['ledger_apply(text,text[],json,json)', 'ledger_apply_one_by_one(text,json,text)'] loop
    definition := pg_get_functiondef(signature::regprocedure);
    foreach part slice 1 in array parts loop
      continue when part[1] <> signature;
      if position(part[2] in definition) = 0 then raise exception '% is not as the migrations made it: %', signature, part[2]; end if;
      definition := replace(definition, part[2], part[3]);
    end loop;
    execute definition;
  end loop;
end $migration$;

-- The audit reads each request once. Pieces of ended requests are checked, summed and hashed in the order of their ids; when all pieces of
-- a day are there, the day is sealed: each account's opening balance, sums by kind and closing balance, chained to the seal before.
-- Everything here is written by the functions below, from the rows themselves.

-- While another transaction uses the table, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';
lock table operation in share row exclusive mode;

-- Below every id that is made at this moment or later, and above every earlier one (firstOperationId in lib/ids.ts).
create function ledger_first_id(moment timestamptz) returns uuid language sql stable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- How far the pieces are. An operation that is opened with an id below `announced` is put apart; once every transaction from before the
-- announcement is over, the ids below it belong to pieces. `entry` and `loss` are the same of the journal and of the losses; they begin
-- below every number, so that no row can stand before the first piece.
create table ledger_seal_head (
  only_row        boolean primary key default true check (only_row),
  announced       uuid not null,
  announced_entry bigint not null,
  announced_loss  bigint not null,
  below           uuid not null,
  piece           bigint not null,
  entry           bigint not null,
  loss            bigint not null,
  seal            bigint not null,
  -- The hours of usage before it were compared with their requests.
  hours_below     timestamptz not null,
  constraint ledger_seal_head_announced check (below <= announced and entry <= announced_entry and loss <= announced_loss)
);
insert into ledger_seal_head values (true, '00000000-0000-0000-0000-000000000000', -9223372036854775807, -9223372036854775807, '00000000-0000-0000-0000-000000000000', 0, -9223372036854775807, -9223372036854775807, 0, '-infinity');

-- Operations that belong to no piece by their id alone: open when their place was read, opened with an id of another time, or opened
-- in a place that had been read. `piece` is the one that counts them; null while none does.
create table ledger_apart (
  operation_id uuid primary key,
  created_at   timestamptz not null,
  piece        bigint
);
create index ledger_apart_waiting on ledger_apart (operation_id) where piece is null;
create index ledger_apart_piece on ledger_apart (piece) where piece is not null;
create index ledger_apart_created on ledger_apart (created_at);

-- Ended requests with ids from `starts` to before `below`, without those apart, and those apart that name this piece; the journal's
-- entries and the losses with numbers after `entry_after` up to `entry`. The hash is of all these rows in their order.
create table ledger_piece (
  number      bigint primary key,
  starts      uuid not null,
  below       uuid not null,
  entry_after bigint not null,
  entry       bigint not null,
  loss_after  bigint not null,
  loss        bigint not null,
  requests    bigint not null,
  entries     bigint not null,
  losses      bigint not null,
  -- The first and the last day (UTC) on which its requests ended; null without requests.
  ended_from  date,
  ended_to    date,
  hash        bytea not null,
  made_at     timestamptz not null default clock_timestamp(),
  constraint ledger_piece_hash check (octet_length(hash) = 32),
  constraint ledger_piece_order check (starts <= below and entry_after <= entry and loss_after <= loss)
);

-- The sums of the requests in pieces that no seal has counted, by the day on which they ended. Emptied by seals.
create table ledger_draft (
  day           date not null,
  account_id    text not null,
  api_key_id    text not null,
  model         text not null,
  channel_id    text not null,
  settled       bigint not null,
  released      bigint not null,
  charges       bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  amount        bigint not null,
  timed         bigint not null,
  streamed      bigint not null,
  primary key (day, account_id, api_key_id, model, channel_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- A day that is over: all requests that ended on it (or on an earlier day, if they came late) in pieces up to `piece`, and the journal's
-- entries after those of the seal before, up to `entry`.
create table ledger_seal (
  day           date primary key,
  number        bigint not null unique,
  piece         bigint not null,
  entry         bigint not null,
  accounts      bigint not null,
  requests      bigint not null,
  charges       bigint not null,
  entries       bigint not null,
  -- Of the pieces since the seal before, of the day's rows of ledger_seal_account, and of every account's closing balances.
  pieces_hash   bytea not null,
  accounts_hash bytea not null,
  balances_hash bytea not null,
  previous_hash bytea not null,
  hash          bytea not null unique,
  sealed_at     timestamptz not null default clock_timestamp(),
  constraint ledger_seal_hashes check (octet_length(pieces_hash) = 32 and octet_length(accounts_hash) = 32 and octet_length(balances_hash) = 32
                                       and octet_length(previous_hash) = 32 and octet_length(hash) = 32)
);

-- An account on a day on which something changed its balance or a request of it ended. `kinds` has the sum of its entries by their kind.
create table ledger_seal_account (
  account_id     text not null,
  day            date not null,
  requests       bigint not null,
  charges        bigint not null,
  entries        bigint not null,
  charged        bigint not null,
  credited       bigint not null,
  debited        bigint not null,
  kinds          jsonb not null,
  credits_before bigint not null,
  debits_before  bigint not null,
  credits_after  bigint not null,
  debits_after   bigint not null,
  primary key (account_id, day),
  constraint ledger_seal_account_credits check (credits_after = credits_before + credited),
  constraint ledger_seal_account_debits check (debits_after = debits_before + charged + debited),
  constraint ledger_seal_account_not_negative check (least(requests, charges, entries, charged, credited, debited, credits_before, debits_before) >= 0)
);
create index ledger_seal_account_day on ledger_seal_account (day, account_id);

-- Announces what the next pieces may take, once every transaction from before is over. What is younger than a quarter of an hour stays: most
-- of it is still open.
create function ledger_seal_announce() returns void language plpgsql as $$
begin
  update ledger_seal_head set announced = greatest(announced, ledger_first_id(clock_timestamp() - interval '15 minutes')),
    announced_entry = greatest(announced_entry, (select max(id) from ledger_entry)),
    announced_loss = greatest(announced_loss, (select max(id) from operator_loss));
  -- It is joined to every piece, and grows from nothing.
  analyze ledger_apart;
end $$;

-- Takes the next piece, of at most `most` ids, as many that were apart, entries and losses; answers its number, 0 when there is none.
-- Called again until it answers 0. In a transaction that reads one snapshot, whoever comes second fails instead of waiting in vain.
create function ledger_seal_piece(most integer) returns bigint language plpgsql as $$
declare
  h ledger_seal_head;
  n bigint;
  p ledger_piece;
  upto uuid;
  entry_to bigint;
  loss_to bigint;
  found_requests bigint;
  found_entries bigint;
  found_losses bigint;
  day_from date;
  day_to date;
  hashes bytea;
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  -- Joins and groups by hash: nobody knows how many rows the ranges have, and sorting them costs twice as much.
  perform set_config('enable_mergejoin', 'off', true), set_config('enable_sort', 'off', true);
  select * into strict h from ledger_seal_head for update;
  n := h.piece + 1;
  -- Where the last piece ended, so that nothing lies between pieces.
  select * into p from ledger_piece where number = h.piece;
  p.starts := coalesce(p.below, '00000000-0000-0000-0000-000000000000');
  p.entry := coalesce(p.entry, -9223372036854775807);
  p.loss := coalesce(p.loss, -9223372036854775807);
  upto := coalesce((select id from operation where id >= h.below and id < h.announced order by id offset most limit 1), h.announced);
  entry_to := coalesce((select max(id) from (select id from ledger_entry where id > p.entry and id <= h.announced_entry order by id limit most) e), h.entry);
  loss_to := coalesce((select max(id) from (select id from operator_loss where id > p.loss and id <= h.announced_loss order by id limit most) l), h.loss);

  update ledger_apart a set piece = n from (
    select w.operation_id from ledger_apart w join settlement s on s.operation_id = w.operation_id where w.piece is null limit most) ready
    where a.operation_id = ready.operation_id;
  -- Those that are still open, and those whose id is not of the time at which they were opened.
  insert into ledger_apart (operation_id, created_at, piece)
    select o.id, o.created_at, case when s.operation_id is not null then n end
      from operation o left join (select x.operation_id from settlement x where x.operation_id >= p.starts and x.operation_id < upto) s
        on s.operation_id = o.id
     where o.id >= p.starts and o.id < upto
       -- The first 48 bits of an id are its time in milliseconds.
       and (s.operation_id is null
            or abs(('x' || substr(o.id::text, 1, 8) || substr(o.id::text, 10, 4))::bit(48)::bigint - date_part('epoch', o.created_at) * 1000) > 300000)
    on conflict (operation_id) do nothing;

  with r as materialized (
    select s.operation_id, s.account_id, coalesce(o.api_key_id, '') as api_key_id, coalesce(o.model, '') as model, coalesce(s.channel_id, '') as channel_id,
           (s.created_at at time zone 'UTC')::date as day, s.outcome = 'settled' as is_settled, s.amount, s.input_tokens, s.output_tokens,
           s.outcome = 'settled' and s.duration_ms is not null as is_timed,
           s.outcome = 'settled' and s.is_stream and s.first_byte_ms is not null as is_streamed,
           sha256(record_send(row(o.id, o.account_id, o.api_key_id, o.source, o.request_id, o.family, o.model, o.dialect, o.model_version_id,
             o.price_version_id, o.multiplier_ppm, o.quote_amount, o.hold_amount, o.request_sha256, o.node_id, o.created_at, o.deadline,
             s.operation_id, s.account_id, s.hold_amount, s.outcome, s.amount, s.input_tokens, s.output_tokens, s.usage, s.reason, s.channel_id,
             s.upstream_ref, s.is_stream, s.is_abandoned, s.duration_ms, s.first_byte_ms, s.created_at))) as hash
      -- Both by their ranges, so that no plan reads a whole table.
      from (select x.* from settlement x where x.operation_id >= p.starts and x.operation_id < upto
               and not exists (select from ledger_apart a where a.operation_id = x.operation_id)
            union all
            select x.* from ledger_apart a join settlement x on x.operation_id = a.operation_id where a.piece = n) s
      left join (select x.* from operation x where x.id >= p.starts and x.id < upto
                 union all
                 select x.* from ledger_apart a join operation x on x.id = a.operation_id
                  where a.piece = n and (a.operation_id < p.starts or a.operation_id >= upto)) o on o.id = s.operation_id
  ), summed as (
    insert into ledger_draft as d (day, account_id, api_key_id, model, channel_id, settled, released, charges, input_tokens, output_tokens, amount, timed, streamed)
      select day, account_id, api_key_id, model, channel_id, count(*) filter (where is_settled), count(*) filter (where not is_settled),
             count(*) filter (where amount > 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), sum(amount),
             count(*) filter (where is_timed), count(*) filter (where is_streamed)
        from r group by 1, 2, 3, 4, 5
      on conflict (day, account_id, api_key_id, model, channel_id) do update set
        settled = d.settled + excluded.settled, released = d.released + excluded.released, charges = d.charges + excluded.charges,
        input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
        amount = d.amount + excluded.amount, timed = d.timed + excluded.timed, streamed = d.streamed + excluded.streamed
  )
  select count(*), min(day), max(day), sha256(coalesce(string_agg(hash, ''::bytea order by operation_id), ''))
    into found_requests, day_from, day_to, hashes from r;

  select count(*), hashes || sha256(coalesce(string_agg(record_send(row(e.id, e.account_id, e.kind, e.ref, e.amount, e.reason, e.actor, e.created_at,
           e.operation_id)), ''::bytea order by e.id), ''))
    into found_entries, hashes from ledger_entry e where e.id > p.entry and e.id <= entry_to;
  select count(*), hashes || sha256(coalesce(string_agg(record_send(row(l.id, l.operation_id, l.cause, l.estimate, l.detail, l.created_at)),
           ''::bytea order by l.id), ''))
    into found_losses, hashes from operator_loss l where l.id > p.loss and l.id <= loss_to;

  if found_requests + found_entries + found_losses = 0 then
    update ledger_seal_head set below = upto, entry = entry_to, loss = loss_to;
    return 0;
  end if;
  insert into ledger_piece (number, starts, below, entry_after, entry, loss_after, loss, requests, entries, losses, ended_from, ended_to, hash)
    values (n, p.starts, upto, p.entry, entry_to, p.loss, loss_to, found_requests, found_entries, found_losses, day_from, day_to, sha256(hashes));
  update ledger_seal_head set below = upto, piece = n, entry = entry_to, loss = loss_to;
  return n;
end $$;

-- The next day that can be sealed: it is over, and everything that happened on it is in pieces. Null when there is none.
create function ledger_seal_due() returns date language plpgsql stable as $$
declare
  h ledger_seal_head;
  last ledger_seal;
  due date;
begin
  select * into strict h from ledger_seal_head;
  select * into last from ledger_seal order by number desc limit 1;
  due := greatest(least((select min(day) from ledger_draft),
    (select min((created_at at time zone 'UTC')::date) from ledger_entry where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry)), last.day + 1);
  if not exists (select from ledger_draft) and not exists (select from ledger_entry where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry) then return null; end if;
  if h.below < ledger_first_id((due + 1)::timestamp at time zone 'UTC' + interval '10 minutes')
     or exists (select from ledger_entry where id > h.entry and created_at < (due + 1)::timestamp at time zone 'UTC')
     or exists (select from ledger_apart a join settlement s on s.operation_id = a.operation_id
                 where a.piece is null and s.created_at < (due + 1)::timestamp at time zone 'UTC') then
    return null;
  end if;
  return due;
end $$;

create function ledger_seal_hash(previous bytea, s ledger_seal) returns bytea language sql stable as $$
  select sha256(previous || record_send(row(s.day, s.number, s.piece, s.entry, s.accounts, s.requests, s.charges, s.entries, s.pieces_hash,
                                            s.accounts_hash, s.balances_hash)))
$$;

-- Seals the day that is due; answers it, null when none is.
create function ledger_seal_day() returns date language plpgsql as $$
declare
  h ledger_seal_head;
  last ledger_seal;
  s ledger_seal;
begin
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  select * into strict h from ledger_seal_head for update;
  s.day := ledger_seal_due();
  if s.day is null then return null; end if;
  select * into last from ledger_seal order by number desc limit 1;
  s.number := coalesce(last.number, 0) + 1;
  s.piece := h.piece;
  s.entry := coalesce((select max(id) from ledger_entry where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry
                        and created_at < (s.day + 1)::timestamp at time zone 'UTC'), last.entry, -9223372036854775807);
  s.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  s.pieces_hash := sha256(coalesce((select string_agg(hash, ''::bytea order by number) from ledger_piece
                                     where number > coalesce(last.piece, 0) and number <= s.piece), ''));
  -- The seal itself is written last, when its hashes are known.
  insert into ledger_seal_account
    select t.account_id, s.day, t.requests, t.charges, t.entries, t.charged, t.credited, t.debited, t.kinds, coalesce(b.credits_after, 0),
           coalesce(b.debits_after, 0), coalesce(b.credits_after, 0) + t.credited, coalesce(b.debits_after, 0) + t.charged + t.debited
      from (select account_id, sum(requests)::bigint as requests, sum(charges)::bigint as charges, sum(entries)::bigint as entries,
                   sum(charged)::bigint as charged,
                   coalesce(sum(moved) filter (where kind not in ('clawback', 'adjust_down')), 0)::bigint as credited,
                   coalesce(sum(moved) filter (where kind in ('clawback', 'adjust_down')), 0)::bigint as debited,
                   coalesce(jsonb_object_agg(kind, moved) filter (where kind is not null), '{}') as kinds
              from (select account_id, null as kind, sum(settled + released) as requests, sum(charges) as charges, 0 as entries,
                           sum(amount) as charged, 0 as moved
                      from ledger_draft where day <= s.day group by 1
                    union all
                    select account_id, kind, 0, 0, count(*), 0, sum(amount)
                      from ledger_entry where id > coalesce(last.entry, -9223372036854775807) and id <= s.entry group by 1, 2) by_kind
             group by account_id) t
      left join lateral (select credits_after, debits_after from ledger_seal_account b where b.account_id = t.account_id order by b.day desc limit 1) b on true;
  delete from ledger_draft where day <= s.day;
  select count(*), coalesce(sum(a.requests), 0), coalesce(sum(a.charges), 0), coalesce(sum(a.entries), 0),
         sha256(coalesce(string_agg(record_send(a), ''::bytea order by a.account_id collate "C"), ''))
    into s.accounts, s.requests, s.charges, s.entries, s.accounts_hash from ledger_seal_account a where a.day = s.day;
  select sha256(coalesce(string_agg(record_send(row(w.account_id, b.credits_after, b.debits_after)), ''::bytea order by w.account_id collate "C"), ''))
    into s.balances_hash
    from wallet w cross join lateral (select credits_after, debits_after from ledger_seal_account b where b.account_id = w.account_id
                                       order by b.day desc limit 1) b;
  s.hash := ledger_seal_hash(s.previous_hash, s);
  s.sealed_at := clock_timestamp();
  insert into ledger_seal select s.*;
  update ledger_seal_head set seal = s.number;
  return s.day;
end $$;

-- Notes that the hours of usage before `moment` were compared; they must be in pieces.
create function ledger_seal_hours(moment timestamptz) returns void language plpgsql as $$
begin
  update ledger_seal_head set hours_below = moment
   where hours_below < moment and below >= ledger_first_id(moment + interval '10 minutes');
end $$;

-- As before, and what belongs to no piece by its id is put apart.
do $$
declare
  definition text := pg_get_functiondef('operation_opens()'::regprocedure);
  changed text := regexp_replace(definition, 'return null;(\s*end)', 'insert into ledger_apart (operation_id, created_at)
    select o.id, o.created_at from opened o, ledger_seal_head h
     where o.id < h.announced or o.id < ledger_first_id(o.created_at - interval ''5 minutes'') or o.id >= ledger_first_id(o.created_at + interval ''5 minutes'')
    on conflict (operation_id) do nothing;
  return null;\1');
begin
  if changed = definition then
    raise exception 'operation_opens() is not as the migrations made it';
  end if;
  execute changed;
end $$;
-- Ids of a later time that are there already.
insert into ledger_apart (operation_id, created_at)
  select id, created_at from operation where id >= ledger_first_id(clock_timestamp() + interval '5 minutes');

do $$
declare t text;
begin
  foreach t in array array['ledger_seal_head', 'ledger_apart', 'ledger_piece', 'ledger_draft', 'ledger_seal', 'ledger_seal_account'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
  end loop;
  foreach t in array array['ledger_seal_head', 'ledger_apart'] loop
    execute format('create trigger %I before delete on %I for each row execute function ledger_refuse()', t || '_no_delete', t);
  end loop;
  foreach t in array array['ledger_piece', 'ledger_seal', 'ledger_seal_account'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function ledger_refuse()', t || '_append_only', t);
  end loop;
end $$;
create trigger ledger_seal_head_only_grows before update on ledger_seal_head for each row
  when (new.announced < old.announced or new.announced_entry < old.announced_entry or new.announced_loss < old.announced_loss or new.below < old.below
        or new.piece < old.piece or new.entry < old.entry or new.loss < old.loss or new.seal < old.seal or new.hours_below < old.hours_below)
  execute function ledger_refuse();
create trigger ledger_apart_once before update on ledger_apart for each row
  when (old.piece is not null or new.operation_id <> old.operation_id or new.created_at <> old.created_at)
  execute function ledger_refuse();
create trigger ledger_draft_only_grows before update on ledger_draft for each row
  when (new.settled < old.settled or new.released < old.released or new.input_tokens < old.input_tokens or new.output_tokens < old.output_tokens
        or new.amount < old.amount)
  execute function ledger_refuse();

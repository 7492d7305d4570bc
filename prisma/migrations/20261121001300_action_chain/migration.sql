-- The log of actions as a chain: each row carries the hash of the row before it and of its own content, so that a row changed,
-- removed or slipped in, by whoever can switch triggers off, is found. The head tells where the chain ends.

alter table operator_action
  add column seq bigint,
  add column previous_hash bytea,
  add column hash bytea;

create table operator_action_head (
  only_one boolean primary key default true check (only_one),
  seq      bigint not null,
  hash     bytea not null check (octet_length(hash) = 32)
);
insert into operator_action_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));

create function operator_action_hash(previous bytea, a operator_action) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(
    a.seq, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.actor, a.action, a.subject, a.detail)::text, 'UTF8'))
$$;

-- Rows take their places one after another: the head is locked until the row is committed.
create function operator_action_chained() returns trigger language plpgsql as $$
declare head operator_action_head;
begin
  select * into strict head from operator_action_head for update;
  new.seq := head.seq + 1;
  new.at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := operator_action_hash(head.hash, new);
  update operator_action_head set seq = new.seq, hash = new.hash;
  return new;
end $$;

-- The rows that are there already, in their order.
alter table operator_action disable trigger append_only;
do $$
declare
  a operator_action;
  place bigint := 0;
  last bytea := decode(repeat('00', 32), 'hex');
begin
  for a in select * from operator_action order by id loop
    place := place + 1;
    a.seq := place;
    a.previous_hash := last;
    last := operator_action_hash(last, a);
    update operator_action set seq = place, previous_hash = a.previous_hash, hash = last where id = a.id;
  end loop;
  update operator_action_head set seq = place, hash = last;
end $$;
alter table operator_action enable trigger append_only;

alter table operator_action
  alter column seq set not null,
  alter column previous_hash set not null,
  alter column hash set not null,
  add constraint operator_action_seq unique (seq);
create index operator_action_actor on operator_action (actor, seq);
create index operator_action_action on operator_action (action, seq);

create trigger chained before insert on operator_action for each row execute function operator_action_chained();
create trigger only_by_trigger before insert or update or delete on operator_action_head for each row
  when (pg_trigger_depth() = 0) execute function refuse_action_change();
create trigger no_truncate before truncate on operator_action_head for each statement execute function refuse_action_change();

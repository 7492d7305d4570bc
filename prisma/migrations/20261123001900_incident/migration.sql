-- What operators tell everyone about trouble. Nothing that was said is changed or removed; the last update says how it stands.
create table incident (
  id          text primary key,
  title_en    text,
  title_zh    text,
  -- The models concerned; none: the whole service.
  models      text[] not null,
  began_at    timestamptz not null,
  -- When the first update after all others that says so was written; null while it goes on. Only the trigger below writes it.
  resolved_at timestamptz,
  created_at  timestamptz not null default now(),
  created_by  text not null,
  constraint incident_title_en check (length(title_en) between 1 and 120),
  constraint incident_title_zh check (length(title_zh) between 1 and 120),
  constraint incident_has_title check (num_nonnulls(title_en, title_zh) > 0),
  constraint incident_models check (cardinality(models) <= 50 and array_position(models, null) is null),
  constraint incident_began check (began_at <= created_at + interval '1 minute')
);
create index incident_began_at on incident (began_at);
create index incident_open on incident (id) where resolved_at is null;

create table incident_update (
  incident_id text not null references incident,
  -- From 1; the trigger below counts.
  number      integer not null default 0,
  state       text not null,
  text_en     text,
  text_zh     text,
  created_at  timestamptz not null default now(),
  created_by  text not null,
  primary key (incident_id, number),
  constraint incident_update_state check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  constraint incident_update_text_en check (length(text_en) between 1 and 1000),
  constraint incident_update_text_zh check (length(text_zh) between 1 and 1000),
  constraint incident_update_has_text check (num_nonnulls(text_en, text_zh) > 0)
);

-- Locks the incident, so that its updates come one after the other, each with its own time.
create function incident_update_begins() returns trigger language plpgsql as $$
begin
  new.created_at := clock_timestamp();
  update incident set resolved_at = case when new.state = 'resolved' then coalesce(resolved_at, new.created_at) end where id = new.incident_id;
  new.number := (select count(*) + 1 from incident_update u where u.incident_id = new.incident_id);
  return new;
end $$;
create trigger incident_update_begins before insert on incident_update for each row execute function incident_update_begins();

create trigger incident_open_count after insert on incident for each row execute function limit_rows('20', '', 'resolved_at is null');
create trigger incident_open_count_again after update on incident for each row when (new.resolved_at is null and old.resolved_at is not null)
  execute function limit_rows('20', '', 'resolved_at is null');
create trigger incident_update_count after insert on incident_update for each row execute function limit_rows('50', 'incident_id', 'true');

create trigger incident_update_append_only before update or delete on incident_update for each row execute function ledger_refuse();
create trigger incident_update_no_truncate before truncate on incident_update for each statement execute function ledger_refuse();
create trigger incident_keeps before update on incident for each row when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger incident_no_delete before delete on incident for each row execute function ledger_refuse();
create trigger incident_no_truncate before truncate on incident for each statement execute function ledger_refuse();

-- Settings that hold without a restart; what is not here comes from the environment or is the default.
create table live_setting (
  name       text primary key,
  value      jsonb not null check (pg_column_size(value) <= 4096),
  updated_at timestamptz not null default now(),
  updated_by text not null
);

-- What the pages tell everyone from one moment to another.
create table notice (
  id         text primary key,
  level      text not null check (level in ('info', 'warning')),
  text_en    text not null check (length(text_en) between 1 and 500),
  text_zh    text not null check (length(text_zh) between 1 and 500),
  starts_at  timestamptz not null,
  ends_at    timestamptz check (ends_at >= starts_at),
  created_at timestamptz not null default now(),
  created_by text not null
);
create index notice_ends on notice (ends_at);

create trigger notify_change after insert or update or delete on live_setting for each row execute function notify_change();
create trigger notify_change after insert or update or delete on notice for each row execute function notify_change();

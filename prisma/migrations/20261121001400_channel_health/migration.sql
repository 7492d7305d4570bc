-- A channel that takes no new work while what it has goes on, one that is kept only because the books name it, and since when its credential stands.
alter table channel
  add column draining_since    timestamptz,
  add column archived_at       timestamptz,
  add column credential_set_at timestamptz,
  add column first_used_at     timestamptz,
  add constraint channel_draining_takes_nothing check (draining_since is null or not is_enabled),
  add constraint channel_archived_is_empty check (archived_at is null or (not is_enabled and credential is null));
update channel set credential_set_at = created_at where credential is not null;

-- The name of an archived channel is free again.
alter table channel drop constraint channel_name_key;
create unique index channel_name on channel (name) where archived_at is null;

-- What became of a channel's attempts, whether or not any points were held for them; every process adds its own.
-- `refused` are those that the customer's request was to blame for. `latencies` counts answers by the bounds in lib/channels/latency.ts.
create table channel_minute (
  channel_id    text not null,
  minute        timestamptz not null,
  succeeded     integer not null default 0,
  failed        integer not null default 0,
  refused       integer not null default 0,
  latencies     integer[] not null,
  last_error    text,
  last_error_at timestamptz,
  primary key (channel_id, minute),
  constraint channel_minute_counts check (succeeded >= 0 and failed >= 0 and refused >= 0),
  constraint channel_minute_error check (length(last_error) <= 300)
) with (fillfactor = 70);
create index channel_minute_minute on channel_minute (minute);

-- What each process has under way at each channel, as it said last.
create table channel_process (
  channel_id  text not null,
  node_id     text not null,
  in_flight   integer not null check (in_flight >= 0),
  rests_until timestamptz,
  noted_at    timestamptz not null default now(),
  primary key (channel_id, node_id)
) with (fillfactor = 70);

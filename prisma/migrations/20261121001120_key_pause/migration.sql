-- A key that spends more within an hour than its owner expects is paused until he lets it go on.
alter table api_key
  add column hourly_spend_max bigint check (hourly_spend_max between 1 and 1000000000000000),
  add column paused_at        timestamptz,
  -- What it had spent within the hour.
  add column paused_spend     bigint check (paused_spend >= 0),
  add constraint api_key_paused_has_spend check ((paused_at is null) = (paused_spend is null));
create index api_key_watched on api_key (last_used_at) where hourly_spend_max is not null and paused_at is null and revoked_at is null;
create trigger notify_pause after update of paused_at on api_key for each row execute function notify_change();

-- What a watched key had been charged on a UTC day up to a moment: what it spent since is the days' sums less this.
create table api_key_spend_mark (
  api_key_id text not null references api_key,
  at         timestamptz not null default now(),
  day        date not null,
  day_amount bigint not null check (day_amount >= 0),
  primary key (api_key_id, at)
);

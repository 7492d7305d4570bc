-- Channels, and single credentials of them, that rested when they were last tested: when they may
-- be tested next, and since when they are known to be down. `credential` is '' for the channel as
-- a whole.
create table channel_watch (
  channel_id text not null references channel on delete cascade,
  credential text not null default '' check (length(credential) <= 40),
  tested_at timestamptz not null default now(),
  -- Null once it works again.
  down_since timestamptz,
  primary key (channel_id, credential)
);

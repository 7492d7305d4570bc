-- Results copied from upstreams. The row outlives its file.

create table media (
  id           text primary key,
  account_id   text not null references account,
  kind         text not null check (kind in ('video', 'image')),
  extension    text not null check (extension in ('mp4', 'png', 'jpg', 'webp')),
  content_type text not null,
  bytes        bigint check (bytes > 0),
  width        integer check (width > 0),
  height       integer check (height > 0),
  created_at   timestamptz not null default now(),
  -- Set once the whole file is safe.
  stored_at    timestamptz,
  -- When the file is removed; links end before.
  expires_at   timestamptz not null,
  deleted_at   timestamptz,
  check (stored_at is null or bytes is not null)
);
create index media_expiry on media (expires_at) where deleted_at is null;
create index media_account on media (account_id, created_at);

-- Who ordered in the playground: those requests have no key. Written before the hold, and taken away where nothing was held.
create table playground_operation (
  operation_id uuid primary key,
  account_id   text not null references account,
  user_id      text not null,
  created_at   timestamptz not null default now()
);
create index playground_operation_account on playground_operation (account_id, created_at);

-- Deliveries to a task's callback_url: one per state the task was in, written in the commit that changed the state.

create table callback_delivery (
  id              bigint generated always as identity primary key,
  task_id         text not null references video_task,
  account_id      text not null references account,
  url             text not null,
  status          text not null,
  attempts        smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until     timestamptz,
  -- What the last attempt met: an HTTP status, or a word such as timeout.
  last_answer     text,
  created_at      timestamptz not null default now(),
  delivered_at    timestamptz,
  given_up_at     timestamptz,
  constraint callback_delivery_once unique (task_id, status),
  constraint callback_delivery_answer check (length(last_answer) <= 200),
  constraint callback_delivery_ends_once check (delivered_at is null or given_up_at is null)
);
create index callback_delivery_due on callback_delivery (next_attempt_at) where delivered_at is null and given_up_at is null;

create function callback_due() returns trigger language plpgsql as $$
begin
  insert into callback_delivery (task_id, account_id, url, status) values (new.id, new.account_id, new.callback_url, new.status)
    on conflict (task_id, status) do nothing;
  return null;
end $$;
create trigger callback_due_at_start after insert on video_task for each row when (new.callback_url is not null) execute function callback_due();
create trigger callback_due after update of status on video_task for each row
  when (new.callback_url is not null and new.status <> old.status) execute function callback_due();

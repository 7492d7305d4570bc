-- What customers see again of their videos and images: how a video came about, and a row for each image that was ordered.

alter table video_task
  add column submitted_at        timestamptz,
  add column running_at          timestamptz,
  -- Prompt and pictures leave with the result; see lib/tasks/kept-settings.ts.
  add column settings_removed_at timestamptz;

create function video_task_times() returns trigger language plpgsql as $$
begin
  if new.submit_state = 'accepted' then new.submitted_at := coalesce(new.submitted_at, now()); end if;
  if new.status = 'running' then new.running_at := coalesce(new.running_at, now()); end if;
  return new;
end $$;
create trigger video_task_times before update of submit_state, status on video_task for each row
  when (new.submit_state is distinct from old.submit_state or new.status is distinct from old.status)
  execute function video_task_times();

-- How long a model's videos take is told from the latest.
create index video_task_times on video_task (model, ended_at desc) where status = 'succeeded';
create index video_task_kept_settings on video_task (ended_at) where ended_at is not null and settings_removed_at is null;

-- One per operation of the image family, by the request's id. Its state is its operation's: no settlement, settled, released.
create table image_result (
  id                  text primary key,
  operation_id        uuid not null unique references operation,
  account_id          text not null references account,
  model               text not null,
  -- The order: its prompt, size, seed and pictures; never in a table of money.
  spec                jsonb not null,
  -- Set once the file is safe, before the settlement.
  media_id            text,
  result_expires_at   timestamptz,
  created_at          timestamptz not null,
  hidden_at           timestamptz,
  settings_removed_at timestamptz,
  constraint image_result_has_end check ((media_id is null) = (result_expires_at is null))
);
create index image_result_account on image_result (account_id, created_at desc, id desc);
create index image_result_times on image_result (model, created_at desc) where media_id is not null;
create index image_result_kept_settings on image_result (created_at) where settings_removed_at is null;

-- Images from before: what they cost is known, their settings are not.
insert into image_result (id, operation_id, account_id, model, spec, created_at, settings_removed_at)
  select o.request_id, o.id, o.account_id, o.model, '{}', o.created_at, now() from operation o where o.family = 'image'
  on conflict do nothing;

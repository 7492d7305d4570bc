-- The value of an Idempotency-Key belongs to the key or person who sent it: the same value of
-- another one is another request. `api_key_id` has the id of a key that manages, too.
alter table idempotent_request
  add column asked_by text not null generated always as (coalesce(api_key_id, user_id, '')) stored,
  drop constraint idempotent_request_pkey,
  add primary key (account_id, key, asked_by);

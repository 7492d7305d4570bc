-- Who ordered a stored response, and with which model: not everybody of an account may read it.
alter table stored_response add column api_key_id text, add column user_id text,
  add column model text;
update stored_response s
  set api_key_id = r.api_key_id, model = r.model,
    user_id = (select p.user_id from playground_operation p where p.operation_id = r.id)
  from request_known r where s.id = 'resp_' || replace(r.id::text, '-', '');

-- Who sent a request with an Idempotency-Key. Null: a process of the release before wrote it.
alter table idempotent_request add column api_key_id text, add column user_id text;

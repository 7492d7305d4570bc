-- Orders of videos and images without an Idempotency-Key, so that a client library's retry of one joins it.

-- fingerprint: SHA-256 of API key, endpoint and body; null where the request has an Idempotency-Key.
-- caller_id, caller_node: the request whose client waits for the order or was answered, and its process; null: nobody has it.
alter table idempotent_request
  add column fingerprint bytea,
  add column caller_id text,
  add column caller_node text,
  add constraint idempotent_request_fingerprint check (octet_length(fingerprint) = 32);
create index idempotent_request_order on idempotent_request (account_id, fingerprint, created_at desc) where fingerprint is not null;

-- Whether retries that say so join the order they repeat.
alter table account add column joins_retries boolean not null default true;

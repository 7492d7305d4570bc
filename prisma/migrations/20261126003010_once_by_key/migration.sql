-- A request with an Idempotency-Key that changes something without an operation: set in the transaction of the change. The release
-- before makes no such rows, and leaves the column as it is.
alter table idempotent_request add column took_effect boolean not null default false;

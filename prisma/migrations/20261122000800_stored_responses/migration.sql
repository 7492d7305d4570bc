-- Responses that clients refer to again: encrypted under a key of their account, which is encrypted under a key derived from RELAY_SECRET.
-- So a rotation of the secret encrypts one small value for each account again, and no response.

create table response_account (
  account_id text primary key references account,
  -- nonce (12 bytes), ciphertext, tag
  sealed_key bytea not null,
  -- The sums of its rows below, kept by triggers.
  responses  bigint not null default 0,
  bytes      bigint not null default 0
);

create table stored_response (
  id          text primary key,
  account_id  text not null references response_account,
  -- What it continues; that one may have been removed.
  previous_id text,
  -- Each: nonce (12 bytes), ciphertext, tag. The items of the request alone, those of the answer, and the rest of the answer.
  input       bytea not null,
  output      bytea not null,
  response    bytea not null,
  bytes       integer not null generated always as (octet_length(input) + octet_length(output) + octet_length(response)) stored,
  created_at  timestamptz not null default now()
);
-- Encrypted bytes cannot be compressed.
alter table stored_response alter column input set storage external, alter column output set storage external, alter column response set storage external;
create index stored_response_account on stored_response (account_id, created_at desc, id desc) include (bytes);
create index stored_response_age on stored_response (created_at);

-- Above the most responses of an account, or bytes of them, its oldest leave until nine tenths remain, so that this is not done at each
-- insert. Rows that another statement removes are left to it. Arguments: the most responses, the most bytes.
create function stored_response_added() returns trigger language plpgsql as $$
declare
  responses_max bigint := tg_argv[0];
  bytes_max     bigint := tg_argv[1];
  counted       response_account;
begin
  update response_account set responses = responses + 1, bytes = response_account.bytes + new.bytes where account_id = new.account_id
    returning * into counted;
  if counted.responses <= responses_max and counted.bytes <= bytes_max then return null; end if;
  delete from stored_response where id in (
    select s.id from stored_response s join (
      select r.id, row_number() over newest as place, sum(r.bytes) over newest as total
        from stored_response r where r.account_id = new.account_id
      window newest as (order by r.created_at desc, r.id desc)) aged on aged.id = s.id
     where (aged.place > responses_max * 9 / 10 or aged.total > bytes_max * 9 / 10) and s.id <> new.id
       for update of s skip locked);
  return null;
end $$;
create trigger stored_response_added after insert on stored_response for each row
  execute function stored_response_added('10000', '268435456');

create function stored_response_removed() returns trigger language plpgsql as $$
begin
  update response_account set responses = responses - 1, bytes = response_account.bytes - old.bytes where account_id = old.account_id;
  return null;
end $$;
create trigger stored_response_removed after delete on stored_response for each row execute function stored_response_removed();

-- Invitations to an account: single use, for seven days. Only the hash of the token is kept.
create table account_invitation (
  id          text primary key,
  account_id  text not null references account,
  role        text not null check (role in ('admin', 'developer', 'viewer', 'billing')),
  -- Null for a link that anyone who has it may use; otherwise only a user with this verified address.
  email       text check (email = lower(email) and length(email) <= 254),
  token_hash  bytea not null unique check (octet_length(token_hash) = 32),
  created_by  text not null,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  accepted_at timestamptz,
  accepted_by text,
  revoked_at  timestamptz,
  constraint account_invitation_ends_once check (accepted_at is null or revoked_at is null),
  constraint account_invitation_accepted check ((accepted_at is null) = (accepted_by is null))
);
create index account_invitation_account on account_invitation (account_id, created_at desc);
-- At most 20 open ones, and 100 in a day: each may be a mail to a stranger.
create trigger account_invitation_count after insert on account_invitation for each row
  execute function limit_rows('20', 'account_id', 'accepted_at is null and revoked_at is null and expires_at > now()');
create trigger account_invitation_count_of_day after insert on account_invitation for each row
  execute function limit_rows('100', 'account_id', 'created_at > now() - interval ''1 day''');

create or replace function account_loses_members() returns trigger language plpgsql as $$
begin
  delete from account_member where account_id = new.id;
  delete from account_invitation where account_id = new.id;
  update account set name = null where id = new.id and name is not null;
  return null;
end $$;

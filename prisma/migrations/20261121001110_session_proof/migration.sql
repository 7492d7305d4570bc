-- When the session's user last proved to be himself: at the sign-in, or by giving the password again.
alter table user_session add column proved_at timestamptz;
update user_session set proved_at = created_at;
alter table user_session alter column proved_at set default now(), alter column proved_at set not null;

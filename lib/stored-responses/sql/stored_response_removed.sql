-- Takes a response that leaves out of its account's count.
create or replace function stored_response_removed() returns trigger language plpgsql as $$
begin
  update response_account set responses = responses - 1, bytes = response_account.bytes - old.bytes
    where account_id = old.account_id;
  return null;
end
$$;

create or replace trigger stored_response_removed after delete on stored_response
  for each row execute function stored_response_removed();

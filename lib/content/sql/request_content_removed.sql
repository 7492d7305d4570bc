-- Takes what leaves out of the accounts' counts.
create or replace function request_content_removed() returns trigger language plpgsql as $$
begin
  update response_account a
    set contents = contents - n.count, content_bytes = content_bytes - n.bytes
    from (select account_id, count(*) as count, sum(bytes) as bytes from removed group by 1) n
    where a.account_id = n.account_id;
  return null;
end
$$;

create or replace trigger request_content_removed after delete on request_content
  referencing old table as removed
  for each statement execute function request_content_removed();

-- A new setting of an account holds for what it keeps already: for so many days from when it was
-- kept, or not at all.
create or replace function account_content_days() returns trigger language plpgsql as $$
begin
  if new.content_days is null then
    delete from request_content where account_id = new.id;
  else
    update request_content set expires_at = created_at + make_interval(days => new.content_days)
      where account_id = new.id;
  end if;
  return null;
end
$$;

create or replace trigger account_content_days after update of content_days on account
  for each row when (old.content_days is distinct from new.content_days)
  execute function account_content_days();

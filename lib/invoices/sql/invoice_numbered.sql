-- Gives an invoice its number: the next one, without gaps, since the counter is locked until
-- COMMIT.
create or replace function invoice_numbered() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update invoice_counter set last = last + 1 returning last into strict new.number;
  return new;
end
$$;

create or replace trigger invoice_numbered before insert on invoice
  for each row execute function invoice_numbered();

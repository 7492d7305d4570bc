-- Payments from before the first billing details are named by those, once.
create or replace function receipt_parties_name() returns trigger language plpgsql as $$
begin
  update receipt_parties r
    set buyer = jsonb_build_object(
      'name', new.name, 'address', new.address, 'taxNumber', new.tax_number)
    from payment p where p.account_id = new.account_id and r.payment_id = p.id and r.buyer is null;
  return null;
end
$$;

create or replace trigger receipt_parties_name after insert or update on account_billing
  for each row execute function receipt_parties_name();

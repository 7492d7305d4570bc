-- Notes the buyer's and the seller's details as they are when a payment is paid; a receipt shows
-- them for ever.
create or replace function receipt_parties_note() returns trigger language plpgsql as $$
begin
  insert into receipt_parties (payment_id, buyer, seller) values (new.id,
    (select jsonb_build_object('name', name, 'address', address, 'taxNumber', tax_number)
      from account_billing where account_id = new.account_id),
    (select jsonb_build_object('name',
      coalesce(max(value #>> '{}') filter (where name = 'seller_name'), ''),
      'address', coalesce(max(value #>> '{}') filter (where name = 'seller_address'), ''),
      'taxNumber', coalesce(max(value #>> '{}') filter (where name = 'seller_tax_number'), ''))
        from live_setting))
    on conflict (payment_id) do nothing;
  return null;
end
$$;

create or replace trigger receipt_parties_note after insert or update of paid_at on payment
  for each row when (new.paid_at is not null)
  execute function receipt_parties_note();

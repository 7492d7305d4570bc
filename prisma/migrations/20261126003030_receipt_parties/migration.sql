-- Who sold and who bought, as a receipt prints it: as they were when the payment was paid, also where the release before notes the payment.
-- Who had no billing details then is named by the first ones that are saved. After that nothing changes.
-- While another transaction uses the tables, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

create table receipt_parties (
  payment_id text primary key references payment,
  -- Null: the account never had billing details.
  buyer      jsonb check (octet_length(buyer::text) <= 8192),
  seller     jsonb not null check (octet_length(seller::text) <= 8192),
  created_at timestamptz not null default now()
);
create trigger receipt_parties_append_only before delete on receipt_parties for each row execute function ledger_refuse();
create trigger receipt_parties_fixed before update on receipt_parties for each row
  when (old.buyer is not null or (new.payment_id, new.seller, new.created_at) is distinct from (old.payment_id, old.seller, old.created_at))
  execute function ledger_refuse();
create trigger receipt_parties_no_truncate before truncate on receipt_parties for each statement execute function ledger_refuse();

create function receipt_parties_note() returns trigger language plpgsql as $$
begin
  insert into receipt_parties (payment_id, buyer, seller) values (new.id,
    (select jsonb_build_object('name', name, 'address', address, 'taxNumber', tax_number) from account_billing where account_id = new.account_id),
    (select jsonb_build_object('name', coalesce(max(value #>> '{}') filter (where name = 'seller_name'), ''),
       'address', coalesce(max(value #>> '{}') filter (where name = 'seller_address'), ''),
       'taxNumber', coalesce(max(value #>> '{}') filter (where name = 'seller_tax_number'), '')) from live_setting))
    on conflict (payment_id) do nothing;
  return null;
end $$;
create trigger receipt_parties_note after insert or update of paid_at on payment for each row
  when (new.paid_at is not null) execute function receipt_parties_note();

create function receipt_parties_name() returns trigger language plpgsql as $$
begin
  update receipt_parties r set buyer = jsonb_build_object('name', new.name, 'address', new.address, 'taxNumber', new.tax_number)
    from payment p where p.account_id = new.account_id and r.payment_id = p.id and r.buyer is null;
  return null;
end $$;
create trigger receipt_parties_name after insert or update on account_billing for each row execute function receipt_parties_name();

-- Earlier payments: what their receipts show today is what they show from now on.
insert into receipt_parties (payment_id, buyer, seller)
  select p.id, (select jsonb_build_object('name', b.name, 'address', b.address, 'taxNumber', b.tax_number)
                  from account_billing b where b.account_id = p.account_id), s.seller
    from payment p, (select jsonb_build_object('name', coalesce(max(value #>> '{}') filter (where name = 'seller_name'), ''),
       'address', coalesce(max(value #>> '{}') filter (where name = 'seller_address'), ''),
       'taxNumber', coalesce(max(value #>> '{}') filter (where name = 'seller_tax_number'), '')) as seller from live_setting) s
   where p.paid_at is not null;

-- What invoices name the buyer by, and the invoices: one for an account and month, with figures that never change. While another transaction
-- uses the tables, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

create table account_billing (
  account_id text primary key references account,
  name       text not null check (length(name) between 1 and 200),
  address    text not null default '' check (length(address) <= 500),
  tax_number text not null default '' check (length(tax_number) <= 60),
  updated_at timestamptz not null default now()
);
-- Who leaves takes the details along. Invoices that were made are kept, as tax law wants.
create function account_billing_end() returns trigger language plpgsql as $$
begin
  delete from account_billing where account_id = new.id;
  return null;
end $$;
create trigger account_billing_end after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function account_billing_end();

-- The last number that was given. Its row is locked until the invoice is committed, so no number is left out or given twice.
create table invoice_counter (
  id   integer primary key default 1 check (id = 1),
  last bigint not null default 0
);
insert into invoice_counter default values;

create table invoice (
  id         text primary key,
  number     bigint not null unique,
  account_id text not null references account,
  month      date not null check (extract(day from month) = 1),
  figures    jsonb not null check (octet_length(figures::text) <= 1048576),
  created_at timestamptz not null default now(),
  constraint invoice_once unique (account_id, month)
);
create function invoice_numbered() returns trigger language plpgsql as $$
begin
  update invoice_counter set last = last + 1 returning last into strict new.number;
  return new;
end $$;
create trigger invoice_numbered before insert on invoice for each row execute function invoice_numbered();
create trigger invoice_append_only before update or delete on invoice for each row execute function ledger_refuse();
create trigger invoice_no_truncate before truncate on invoice for each statement execute function ledger_refuse();

-- Refunds are read by the payment that they belong to.
create index payment_event_intent on payment_event (intent_id) where intent_id is not null;

-- Operators list the invoices of a month.
set local lock_timeout = '5s';
create index invoice_month on invoice (month, number);

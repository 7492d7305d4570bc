-- Which calls a bill has, as eight bytes for each that it names: a call that another bill has, too,
-- is billed twice.
alter table upstream_bill add column refs bytea not null default ''
  check (octet_length(refs) % 8 = 0 and octet_length(refs) <= 33554432);

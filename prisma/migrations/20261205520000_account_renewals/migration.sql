-- An account that begins anew signs its callbacks with another secret.
alter table account add column renewals integer not null default 0
  constraint account_renewals_not_negative check (renewals >= 0);

-- A payment may be for several periods of a plan, which begin one after the other: those before the
-- last one are in `periods_before`, the last one in `period_number`.
alter table payment
  add column periods smallint not null default 1 check (periods between 1 and 60),
  add column periods_before integer[] not null default '{}',
  drop constraint payment_period_dues_check,
  -- Of several periods: by the place of each.
  add constraint payment_period_dues check (pg_column_size(period_dues) <= 65536),
  add constraint payment_periods check (cardinality(periods_before) < periods
    and (account_plan_id is not null or cardinality(periods_before) = 0)
    and (plan_id is not null or periods = 1)
    and array_position(periods_before, null) is null and 0 < all (periods_before));

-- So many periods are sold at once, for one price.
alter table plan
  add column advance_periods smallint check (advance_periods between 2 and 60),
  add column advance_amount bigint check (advance_amount between 1 and 99999999),
  add constraint plan_advance check ((advance_periods is null) = (advance_amount is null)
    and (advance_amount is null or amount is not null));

-- For how many periods the saved card is charged at once.
alter table account_plan
  add column renewal_periods smallint not null default 1 check (renewal_periods between 1 and 60);

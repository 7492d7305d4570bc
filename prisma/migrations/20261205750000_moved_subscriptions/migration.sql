-- Subscriptions of another relay become plans of accounts; their quota is what was left of each.
alter table import_row
  drop constraint import_row_kind,
  add constraint import_row_kind check (kind in ('model', 'channel', 'group', 'user', 'key',
    'voucher', 'subscription'));

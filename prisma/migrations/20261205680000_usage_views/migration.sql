-- The filters of the usage page that a member keeps by name, the newest first.
alter table account_member add column usage_views jsonb not null default '[]',
  add constraint account_member_usage_views check (jsonb_typeof(usage_views) = 'array'
    and octet_length(usage_views::text) <= 65536);

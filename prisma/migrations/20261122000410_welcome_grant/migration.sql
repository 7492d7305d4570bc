-- Why an account did not get its welcome points, or not yet; null: it got them, or none were offered.
alter table account add column welcome_withheld text
  constraint account_welcome_withheld check (welcome_withheld in ('address', 'domain', 'unverified'));

-- Welcome points given lately, by the address and the mail domain of who got them; rows older than a day are removed.
create table welcome_grant (
  id bigint generated always as identity primary key,
  account_id text not null references account (id) on delete cascade,
  address_group text not null check (length(address_group) <= 100),
  mail_domain text check (length(mail_domain) <= 254),
  at timestamptz not null default now()
);
create index welcome_grant_address on welcome_grant (address_group, at);
create index welcome_grant_domain on welcome_grant (mail_domain, at);
create index welcome_grant_at on welcome_grant (at);

-- Which account got what a mailbox gets once: the points of a new account, and those of a referral.
-- Under whichever of its addresses, also when that account is closed: only a hash stays.
create table mailbox_gift (
  hash bytea primary key check (octet_length(hash) = 32),
  account_id text not null,
  at timestamptz not null default now()
);
alter table account
  drop constraint account_welcome_withheld,
  add constraint account_welcome_withheld
    check (welcome_withheld in ('address', 'domain', 'mailbox', 'unverified'));

-- Of the accounts that there are, by the rule of `lib/accounts/mailbox.ts`.
insert into mailbox_gift (hash, account_id, at)
select distinct on (hash) hash, account_id, at from (
  select sha256(convert_to(case domain when 'gmail.com' then replace(name, '.', '') else name end
      || '@' || domain, 'UTF8')) as hash, account_id, at
    from (
      select a.id as account_id, a.created_at as at,
        regexp_replace(u.email, '([+].*)?@[^@]*$', '') as name,
        case regexp_replace(u.email, '^.*@', '')
          when 'googlemail.com' then 'gmail.com'
          when 'protonmail.com' then 'proton.me'
          when 'pm.me' then 'proton.me'
          when 'me.com' then 'icloud.com'
          when 'mac.com' then 'icloud.com'
          else regexp_replace(u.email, '^.*@', '')
        end as domain
        from account a join "user" u on u.account_id = a.id
       where a.welcome_points > 0 and a.welcome_withheld is null) m) h
 order by hash, at, account_id;

import { digestOf } from "./digest";

/**
 * SQL: the keys that expire within a week, and within the last quarter of their time: a key made
 * for a day is told of six hours before. `$1`: accounts.
 */
export const findExpiries = `
  with keys as (
    select id, account_id, name, created_at, expires_at, 'api' as kind from api_key where account_id = any($1) and revoked_at is null and expires_at > now()
    union all
    select id, account_id, name, created_at, expires_at, 'management' from management_key
     where account_id = any($1) and revoked_at is null and expires_at > now()
  ), due as (
    select *, 'key_expiring:' || id || ':' || extract(epoch from expires_at) as subject from keys
     where expires_at - now() < least(interval '7 days', (expires_at - created_at) / 4)
  ), first as (
    insert into notification_told (account_id, subject, until) select account_id, subject, expires_at from due
      on conflict do nothing returning account_id, subject
  ), found as (
    select d.account_id, d.expires_at as place,
           jsonb_build_object('id', d.id, 'name', d.name, 'kind', d.kind, 'expires_at', to_char(d.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as item
      from due d join first f on f.account_id = d.account_id and f.subject = d.subject
  )${digestOf("key_expiring", "keys")}`;

import type { NotificationKind } from "../contract/states";

/** What one notification names; the rest is counted. */
const NAMED_MAX = 50;

/**
 * SQL: one notification for each account of the rows of `found` (`account_id`, `place`, `item`), so
 * that a hundred keys make no storm.
 */
export const digestOf = (
  kind: NotificationKind,
  list: "keys" | "members" | "models" | "lots" | "tags",
): string => `
  insert into notification (account_id, kind, dedupe_key, data)
    select f.account_id, '${kind}', '${kind}:' || f.account_id || ':' || extract(epoch from now()),
           jsonb_build_object('${list}', jsonb_agg(f.item order by f.n) filter (where f.n <= ${NAMED_MAX}), 'more', greatest(count(*) - ${NAMED_MAX}, 0))
      from (select *, row_number() over (partition by account_id order by place) as n from found) f group by f.account_id
    on conflict (dedupe_key) do nothing`;

/** The audit's rules for the budgets of tags. Few accounts have any, so each is read by itself. */
import type { Rule } from "./audit-requests";
import type { Scope } from "./audit-scope";
import { isDroppedSince, waiting } from "./audit-sums";

const fullHour =
  "date_trunc('hour', b.starts_at + interval '1 hour' - interval '1 microsecond', 'UTC')";
const isTagged = (row: string) => `${row}.tags ->> b.name = b.value`;

/** By sums that other rules compare, where there are any. */
const spentBySums = `
  select h.amount from usage_hour h where h.account_id = b.account_id and h.hour >= ${fullHour} and ${isTagged("h")}
  union all
  select r.amount from request r
   where r.account_id = b.account_id and r.created_at >= b.starts_at and r.created_at < ${fullHour} and ${isTagged("r")}
  union all
  select r.amount from ${waiting}
   where n.account_id = b.account_id and r.created_at >= ${fullHour} and ${isTagged("r")}`;
const spentByRows = `
  select r.amount from request r
   where r.account_id = b.account_id and r.created_at >= b.starts_at and ${isTagged("r")}`;

const shown = "b.account_id || ' ' || b.name || '=' || b.value || ' ' || b.kind";

export const tagRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every tag's budget counts what its requests spent and hold of what was opened in its window",
    sql: `select ${shown} || ': spent ' || b.spent || ' held ' || b.held || ', requests ' || s.amount || ' and ' || h.amount as broken
          from tag_budget b cross join lateral (
              select coalesce(sum(x.amount), 0) as amount from (${scope.isNew ? spentBySums : spentByRows}) x) s
            cross join lateral (
              select coalesce(sum(o.hold_amount), 0) as amount from open_request o
               where o.account_id = b.account_id and o.created_at >= b.starts_at and ${isTagged("o")}) h
          where b.spent <> s.amount and not ${isDroppedSince("b.starts_at")} or b.held <> h.amount`,
  },
];

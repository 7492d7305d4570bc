/** The audit's rules for the budgets of members. Few accounts have any, so each is read by itself. */
import { opened, type Rule } from "./audit-requests";
import type { Scope } from "./audit-scope";
import { isDroppedSince, waiting } from "./audit-sums";

const fullHour =
  "date_trunc('hour', m.starts_at + interval '1 hour' - interval '1 microsecond', 'UTC')";

/** Each member's budget, joined with each key that the member made. `whole` is the first full hour after the window's start: from there on hour sums are used. */
const spenders = `(
  select m.*, k.id as api_key_id, ${fullHour} as whole from member_budget m join api_key k on k.account_id = m.account_id and k.created_by = m.user_id)`;
/** Requests that members ordered in the playground since their window's start, from one of the two tables. */
const played = (table: "request" | "open_request") => `
  member_budget b join playground_operation p on p.account_id = b.account_id and p.user_id = b.user_id
    join ${table} r on r.id = p.operation_id and r.api_key_id is null and r.created_at >= b.starts_at`;

/** Spend by hour sums, which other rules compare with the requests; by rows before the first full hour and for what is not summed yet. */
const spentBySums = `
  select b.account_id, b.user_id, b.kind, x.amount from ${spenders} b cross join lateral (
    select h.amount from usage_hour h where h.account_id = b.account_id and h.api_key_id = b.api_key_id and h.hour >= b.whole
    union all
    select r.amount from request r
     where r.account_id = b.account_id and r.api_key_id = b.api_key_id and r.created_at >= b.starts_at and r.created_at < b.whole
    union all
    select r.amount from ${waiting}
     where n.account_id = b.account_id and r.api_key_id = b.api_key_id and r.created_at >= b.whole) x`;
const spentByRows = `
  select b.account_id, b.user_id, b.kind, r.amount from ${spenders} b
    join request r on r.api_key_id = b.api_key_id and r.created_at >= b.starts_at`;

const spent = (scope: Scope) => `(
  select account_id, user_id, kind, sum(amount) as amount from (
    ${scope.isNew ? spentBySums : spentByRows}
    union all
    select b.account_id, b.user_id, b.kind, r.amount from ${played("request")}) each group by 1, 2, 3)`;
const held = `(
  select account_id, user_id, kind, sum(hold_amount) as amount from (
    select b.account_id, b.user_id, b.kind, o.hold_amount from ${spenders} b
      join open_request o on o.api_key_id = b.api_key_id and o.created_at >= b.starts_at
    union all
    select b.account_id, b.user_id, b.kind, r.hold_amount from ${played("open_request")}) each group by 1, 2, 3)`;

const shown = "b.account_id || ' ' || b.user_id || ' ' || b.kind";

export const memberRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every member's budget counts what the member spent and holds of what was opened in its window",
    sql: `select ${shown} || ': spent ' || b.spent || ' held ' || b.held || ', requests ' || coalesce(s.amount, 0) || ' and ' || coalesce(h.amount, 0) as broken
          from member_budget b left join ${spent(scope)} s using (account_id, user_id, kind) left join ${held} h using (account_id, user_id, kind)
          where b.spent <> coalesce(s.amount, 0) and not ${isDroppedSince("b.starts_at")} or b.held <> coalesce(h.amount, 0)`,
  },
  {
    name: "nothing of a member was opened after the end of a window that still counts",
    sql: `select ${shown} || ': ' || x.id as broken from member_budget b join (
            select s.account_id, s.user_id, s.kind, o.id, o.created_at from ${spenders} s
              join ${opened(scope)} o on o.api_key_id = s.api_key_id and o.created_at >= s.ends_at
            union all
            select b.account_id, b.user_id, b.kind, r.id, r.created_at from ${played("request")}
            union all
            select b.account_id, b.user_id, b.kind, r.id, r.created_at from ${played("open_request")}) x using (account_id, user_id, kind)
          where x.created_at >= b.ends_at`,
  },
];

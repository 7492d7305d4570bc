/** The audit's rules for one request: its operation, its end, its price, its task and its losses. */
import type { Scope } from "./audit-scope";

interface RequestRule {
  readonly name: string;
  /** True for a request that breaks the rule. */
  readonly broken: string;
  readonly shown?: string;
}

const countedIn = (units: readonly string[]) =>
  units.map((unit) => `coalesce((d.quantities -> '${unit}')::numeric, 0)`).join(" + ");

/** o: the operation, s: its settlement, p: the price, d: what is due and for what, t: its task, l: its losses. */
const rules: readonly RequestRule[] = [
  {
    name: "every settlement ends an operation, with the same account and hold",
    broken:
      "s.operation_id is not null and (o.id is null or o.account_id <> s.account_id or o.hold_amount <> s.hold_amount)",
  },
  {
    name: "every settlement is between 0 and its hold; a release charges nothing and has a reason",
    broken:
      "s.amount not between 0 and s.hold_amount or (s.outcome = 'released' and (s.amount <> 0 or s.reason is null)) or s.outcome not in ('settled', 'released')",
  },
  {
    name: "every charge has reported usage",
    broken:
      "s.outcome = 'settled' and (s.usage is null or s.input_tokens is null or s.output_tokens is null or s.input_tokens < 0 or s.output_tokens < 0)",
  },
  {
    name: "what a settlement counts by unit adds up to its tokens",
    broken: `coalesce(jsonb_typeof(d.quantities) = 'object', false) and (s.input_tokens, s.output_tokens) is distinct from
      (${countedIn(["input_token", "cached_input_token", "cache_write_token"])}, ${countedIn(["output_token", "reasoning_token", "image_token", "video_token"])})`,
    shown:
      "': ' || s.input_tokens || ' and ' || s.output_tokens || ' tokens, ' || (s.usage ->> 'quantities')",
  },
  {
    name: "every charge is images, seconds, requests and tokens × price × multiplier, rounded up once, or the hold where that is less, with the rest as a loss",
    broken: `s.outcome = 'settled' and o.id is not null
      and (d.due is null or s.amount <> least(d.due, s.hold_amount) or coalesce(l.over, 0) <> d.due - s.amount)`,
    shown:
      "': charged ' || s.amount || ', due ' || coalesce(d.due::text, 'unknown') || ', hold ' || s.hold_amount || ', loss ' || coalesce(l.over, 0)",
  },
  {
    name: "every operation has a wallet, a key of its account and a price of its model",
    broken: `o.id is not null and (w.account_id is null or p.id is null or p.model <> o.model
      or (o.api_key_id is not null and (k.id is null or k.account_id <> o.account_id)))`,
  },
  {
    name: "every loss belongs to an operation that ended",
    broken: "l.operation_id is not null and (s.operation_id is null or l.least < 0)",
  },
  {
    name: "every video task agrees with its settlement, and is open exactly while there is none",
    broken:
      "t.id is not null and s.outcome is distinct from case when t.status = 'succeeded' then 'settled' when t.status not in ('queued', 'running') then 'released' end",
    shown: "': task ' || t.status || ', settlement ' || coalesce(s.outcome, 'absent')",
  },
];

// A part of the tokens with a rate of its own costs that much more, or less, than its whole.
// With an offset, the figures are computed once for a request, not once for each place that names them.
const due = `
  left join lateral (select u.quantities, div((s.input_tokens::numeric * p.input_price + s.output_tokens::numeric * p.output_price
      + case when p.other_rates = '[]' then 0 else coalesce((
          select sum((u.quantities ->> unit)::numeric * case when unit in ('image', 'second', 'request') then each * 1000000
                   when unit = 'reasoning_token' then each - p.output_price else each - p.input_price end)
            from (select r ->> 'unit' as unit, (r ->> 'amount')::numeric as each, r - array['unit', 'amount'] as ordered
                    from jsonb_array_elements(p.other_rates) r) rate
           where u.quantities @> rate.ordered), 0) end) * o.multiplier_ppm + 999999999999, 1000000000000) as due
      from (select s.usage -> 'quantities' as quantities offset 0) u offset 0) d on true`;

/** All rules in one reading: the rows that break one, with its place in the list. */
function requestsQuery(scope: Scope, isEnded: boolean): string {
  const values = rules.map(
    ({ broken, shown = "''" }, place) =>
      `(${place}, ${broken}, coalesce(o.id, s.operation_id) || ${shown})`,
  );
  return `select v.rule, v.broken from ${scope.of("operation", "id")} o
    full join ${scope.of("settlement", "operation_id")} s on s.operation_id = o.id
    left join price_version p on p.id = o.price_version_id
    left join wallet w on w.account_id = o.account_id
    left join api_key k on k.id = o.api_key_id
    left join ${scope.of("video_task", "operation_id")} t on t.operation_id = o.id
    left join (select operation_id, min(estimate) as least, sum(estimate) filter (where cause = 'usage_over_hold') as over
                 from ${scope.of("operator_loss", "operation_id")} x where operation_id is not null group by 1) l on l.operation_id = o.id
    ${due}
    cross join lateral (values ${values.join(", ")}) v(rule, is_broken, broken)
    where ${isEnded ? "s.operation_id is not null and " : ""}(${rules.map(({ broken }) => `(${broken})`).join(" or ")}) and v.is_broken`;
}

export interface Rule {
  readonly name: string;
  /** Returns the rows that violate the statement, as one text column named `broken`. */
  readonly sql: string;
}

/** The rules of requests, in one query. */
export interface RuleSet {
  readonly names: readonly string[];
  /** Like a rule's, with the place of the rule that a row violates. */
  readonly sql: string;
}

/** `isEnded`: only of requests that have ended. */
export const requestRules = (scope: Scope, isEnded = false): RuleSet => ({
  names: rules.map(({ name }) => name),
  sql: requestsQuery(scope, isEnded),
});

/** Rules of ended requests that are read apart, in the same scope. */
export const endRules = (scope: Scope): readonly Rule[] => [
  {
    name: "no operation was ended twice",
    sql: `select operation_id::text as broken from (
            select operation_id, lag(operation_id) over (order by operation_id) as before from ${scope.of("settlement", "operation_id")} s) s
          where operation_id = before`,
  },
];

/** Rules of entries, losses and keys, in the same scope. */
export const entryRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every amount of the journal is positive and no business event counts twice",
    sql: `select e.kind || ' ' || e.ref as broken from ${scope.entries} e
          left join lateral (select f.id from ledger_entry f where f.kind = e.kind and f.ref = e.ref and f.id <> e.id limit 1) f on true
          where e.amount <= 0 or f.id is not null`,
  },
  {
    name: "no charge was refunded beyond its amount, and every refund of one went to its account",
    sql: `select e.operation_id || ': refunded ' || sum(e.amount) || ', charged ' || coalesce(max(s.amount), 0) as broken
          from (select distinct operation_id from ${scope.entries} x where operation_id is not null
                  and not exists (select from ledger_archive_drop d where x.operation_id >= d.starts and x.operation_id < d.below)) n
          cross join lateral (select * from ledger_entry e where e.operation_id = n.operation_id offset 0) e
          left join lateral (select account_id, amount from settlement s where s.operation_id = n.operation_id limit 1) s on true
          group by e.operation_id having sum(e.amount) > coalesce(max(s.amount), 0) or bool_or(e.kind <> 'refund' or e.account_id is distinct from s.account_id)`,
  },
  {
    name: "nothing of a key was opened after the end of a window that still counts",
    sql: `select b.api_key_id || ' ' || b.kind || ': ' || o.id as broken from api_key_budget b
          join ${scope.of("operation", "id")} o on o.api_key_id = b.api_key_id and o.created_at >= b.ends_at where b.zone is not null`,
  },
  {
    name: "no loss is negative",
    sql: `select id::text as broken from ${scope.losses} l where estimate < 0`,
  },
];

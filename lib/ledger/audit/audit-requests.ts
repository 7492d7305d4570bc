/** The audit's rules for one request that has ended: its order, its end, its price, its task and its losses. */
import type { Scope } from "./audit-scope";

interface RequestRule {
  readonly name: string;
  /** True for a request that breaks the rule. */
  readonly broken: string;
  readonly shown?: string;
}

const countedIn = (units: readonly string[]) =>
  units.map((unit) => `coalesce((d.quantities -> '${unit}')::numeric, 0)`).join(" + ");

/** What must be of the request `r`, its price `p`, its wallet `w` and its key `k`, open or ended. */
const nothingMissing = `w.account_id is null or p.id is null or p.model <> r.model
      or (r.api_key_id is not null and (k.id is null or k.account_id <> r.account_id))`;
const outOfBounds = `r.source not in ('api', 'playground') or r.family not in ('text', 'image', 'video')
      or coalesce(r.dialect, 'mcp') not in ('messages', 'responses', 'videos', 'mcp')
      or length(r.request_id) not between 1 and 100 or length(r.model) not between 1 and 80
      or r.multiplier_ppm not between 1 and 100000000 or octet_length(r.request_sha256) <> 32 or r.deadline <= r.created_at
      or least(r.quote_amount, r.hold_amount) < 0 or greatest(r.quote_amount, r.hold_amount) > 1000000000000000`;
const named = `left join price_version p on p.id = r.price_version_id
    left join wallet w on w.account_id = r.account_id
    left join api_key k on k.id = r.api_key_id`;

/** r: the request, p: the price, d: what is due and for what, l: its losses. */
const rules: readonly RequestRule[] = [
  {
    name: "every charge is between 0 and its hold; a release charges nothing and has a reason",
    broken:
      "r.amount not between 0 and r.hold_amount or (r.outcome = 'released' and (r.amount <> 0 or r.reason is null)) or r.outcome not in ('settled', 'released')",
  },
  {
    name: "every charge has reported usage",
    broken:
      "r.outcome = 'settled' and (r.usage is null or r.input_tokens is null or r.output_tokens is null or r.input_tokens < 0 or r.output_tokens < 0)",
  },
  {
    name: "what a request counts by unit adds up to its tokens",
    broken: `coalesce(jsonb_typeof(d.quantities) = 'object', false) and (r.input_tokens, r.output_tokens) is distinct from
      (${countedIn(["input_token", "cached_input_token", "cache_write_token", "input_audio_token"])}, ${countedIn(["output_token", "reasoning_token", "audio_token", "image_token", "video_token"])})`,
    shown:
      "': ' || r.input_tokens || ' and ' || r.output_tokens || ' tokens, ' || (r.usage ->> 'quantities')",
  },
  {
    name: "every charge is images, seconds, requests and tokens × price × multiplier, rounded up once, or the hold where that is less, with the rest as a loss",
    broken: `r.outcome = 'settled'
      and (d.due is null or r.amount <> least(d.due, r.hold_amount) or coalesce(l.over, 0) <> d.due - r.amount)`,
    shown:
      "': charged ' || r.amount || ', due ' || coalesce(d.due::text, 'unknown') || ', hold ' || r.hold_amount || ', loss ' || coalesce(l.over, 0)",
  },
  {
    name: "every request has a wallet, a key of its account and a price of its model",
    broken: nothingMissing,
  },
  { name: "every request is within the bounds of orders", broken: outOfBounds },
];

const perOne = "'image', 'input_image', 'partial_image', 'second', 'tool_call', 'request'";
/** Whether a rate `x` is for the request: for what was ordered, its length and its time. */
const isForRequest = `(r.usage -> 'quantities') @> (x - array['unit', 'amount', 'input_from', 'hours'])
             and coalesce((x ->> 'input_from')::numeric, 0) <= r.input_tokens
             and (not x ? 'hours' or case when left(x ->> 'hours', 5) < right(x ->> 'hours', 5)
               then r.usage -> 'quantities' ->> 'time' >= left(x ->> 'hours', 5) and r.usage -> 'quantities' ->> 'time' < right(x ->> 'hours', 5)
               else r.usage -> 'quantities' ->> 'time' >= left(x ->> 'hours', 5) or r.usage -> 'quantities' ->> 'time' < right(x ->> 'hours', 5) end)`;
/** Of several rates, that of the hours, and of the longest input. */
const bestFirst = "x ? 'hours' desc, coalesce((x ->> 'input_from')::numeric, 0) desc";
/** The rate of all tokens in or out, at what was ordered. */
const eachOf = (
  unit: string,
  plain: string,
) => `case when p.other_rates = '[]' then ${plain} else coalesce((
          select (x ->> 'amount')::numeric from jsonb_array_elements(p.other_rates) x where x ->> 'unit' = '${unit}'
             and ${isForRequest} order by x ? 'tier' desc, ${bestFirst} limit 1), ${plain}) end`;

// A part of the tokens with a rate of its own costs that much more, or less, than its whole.
// With an offset, the figures are computed once for a request, not once for each place that names them.
const due = `
  left join lateral (select u.quantities, div((r.input_tokens::numeric * u.input_each + r.output_tokens::numeric * u.output_each
      + case when p.other_rates = '[]' then 0 else coalesce((
          select sum((u.quantities ->> unit)::numeric * case when unit in (${perOne}) then each * 1000000
                   when unit in ('reasoning_token', 'audio_token', 'image_token', 'video_token') then each - u.output_each else each - u.input_each end)
            from (select distinct on (x -> 'unit') x ->> 'unit' as unit, (x ->> 'amount')::numeric as each
                    from jsonb_array_elements(p.other_rates) x where x ->> 'unit' not in ('input_token', 'output_token')
                     and ${isForRequest} order by x -> 'unit', ${bestFirst}) rate), 0) end) * r.multiplier_ppm + 999999999999, 1000000000000) as due
      from (select r.usage -> 'quantities' as quantities, ${eachOf("input_token", "p.input_price")} as input_each,
                   ${eachOf("output_token", "p.output_price")} as output_each offset 0) u offset 0) d on true`;

/** All rules in one reading: the rows that break one, with its place in the list. */
function requestsQuery(scope: Scope): string {
  const values = rules.map(
    ({ broken, shown = "''" }, place) => `(${place}, ${broken}, r.id || ${shown})`,
  );
  return `select v.rule, v.broken from ${scope.of("request", "id")} r
    ${named}
    left join (select operation_id, sum(estimate) as over from ${scope.of("operator_loss", "operation_id")} x
                where cause = 'usage_over_hold' group by 1) l on l.operation_id = r.id
    ${due}
    cross join lateral (values ${values.join(", ")}) v(rule, is_broken, broken)
    where (${rules.map(({ broken }) => `(${broken})`).join(" or ")}) and v.is_broken`;
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

export const requestRules = (scope: Scope): RuleSet => ({
  names: rules.map(({ name }) => name),
  sql: requestsQuery(scope),
});

/** Of requests that are open: there are few, and they are read whole. */
export const openRules: readonly Rule[] = [
  {
    name: "every open request has a wallet, a key of its account and a price of its model",
    sql: `select r.id::text as broken from open_request r ${named} where ${nothingMissing}`,
  },
  {
    name: "every open request is within the bounds of orders",
    sql: `select r.id::text as broken from open_request r where ${outOfBounds}`,
  },
  {
    name: "no request is both open and ended",
    sql: "select o.id::text as broken from open_request o cross join lateral (select from request r where r.id = o.id limit 1) r",
  },
  {
    name: "every open video task has an open request of its own, and the other way round",
    sql: `select coalesce(o.id, t.operation_id)::text as broken from open_request o
          full join (select * from video_task where status in ('queued', 'running')) t on t.operation_id = o.id
          where o.is_task is distinct from (t.id is not null)
             or t.id is not null and (o.account_id, o.api_key_id, o.model) is distinct from (t.account_id, t.api_key_id, t.model)`,
  },
  {
    name: "every open request without an owner is of a video task",
    sql: "select id::text as broken from open_request where node_id is null and not is_task",
  },
  {
    name: "every open request past its deadline has an owner that can still end it",
    sql: `select q.id || ': owner ' || coalesce(q.node_id, 'nobody') as broken from open_request q left join node n on n.id = q.node_id
           where not q.is_task and n.id is null and q.deadline < now()`,
  },
];

const isDropped = (id: string): string =>
  `exists (select from ledger_archive_drop d where ${id} >= d.starts and ${id} < d.below)`;
/** The ended request with an id, read by it, whatever the plan. */
const endedWith = (id: string): string =>
  `lateral (select * from request r where r.id = ${id} limit 1) r`;

/** Rules of ended requests that are read apart, in the same scope. */
export const endRules = (scope: Scope): readonly Rule[] => [
  {
    name: "no request was ended twice",
    sql: `select id::text as broken from (
            select id, lag(id) over (order by id) as before from ${scope.of("request", "id")} r) r
          where id = before`,
  },
  {
    name: "every video task that ended agrees with the end of its request",
    sql: `select t.operation_id || ': task ' || t.status || ', request ' || coalesce(r.outcome, 'absent') as broken
          from ${scope.of("video_task", "operation_id")} t left join ${endedWith("t.operation_id")} on true
          where r.outcome is distinct from case when t.status = 'succeeded' then 'settled' when t.status not in ('queued', 'running') then 'released' end
            and not ${isDropped("t.operation_id")}`,
  },
];

/** What was opened: all that is open, and what ended of the scope. */
export const opened = (scope: Scope): string =>
  `(select id, account_id, api_key_id, created_at from ${scope.of("request", "id")} r
    union all select id, account_id, api_key_id, created_at from open_request)`;

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
    sql: `select e.operation_id || ': refunded ' || sum(e.amount) || ', charged ' || coalesce(max(r.amount), 0) as broken
          from (select distinct operation_id from ${scope.entries} x where operation_id is not null and not ${isDropped("x.operation_id")}) n
          cross join lateral (select * from ledger_entry e where e.operation_id = n.operation_id offset 0) e
          left join ${endedWith("n.operation_id")} on true
          group by e.operation_id having sum(e.amount) > coalesce(max(r.amount), 0) or bool_or(e.kind <> 'refund' or e.account_id is distinct from r.account_id)`,
  },
  {
    name: "nothing of a key was opened after the end of a window that still counts",
    sql: `select b.api_key_id || ' ' || b.kind || ': ' || o.id as broken from api_key_budget b
          join ${opened(scope)} o on o.api_key_id = b.api_key_id and o.created_at >= b.ends_at where b.zone is not null`,
  },
  {
    name: "no loss is negative",
    sql: `select id::text as broken from ${scope.losses} l where estimate < 0`,
  },
  {
    name: "every loss belongs to a request that ended",
    sql: `select l.id::text as broken from ${scope.losses} l left join ${endedWith("l.operation_id")} on true
          where l.operation_id is not null and r.id is null and not ${isDropped("l.operation_id")}`,
  },
];

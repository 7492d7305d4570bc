/** Sums of an account's usage, from its daily totals, and the spend of one key. */
import type pg from "pg";
import type { Reader } from "../../db/pool";
import type { Micropoints } from "../../money/points";
import { usageOfMembers } from "./usage-of-members";

export type UsageGroup = "day" | "model" | "key" | "member" | "tag";

/** Tags of requests; an empty value stands for requests without the tag. */
export interface UsageTags {
  readonly tags: Readonly<Record<string, string>>;
  /** The name of the tag by which it is grouped. */
  readonly group: string | null;
}

/** Whose usage is summed: of a member, and of a key. */
export interface UsageOwner {
  readonly memberId: string | null;
  readonly apiKeyId: string | null;
}

export interface UsageSum {
  /**
   * The day, the model, the key's id (empty without a key), the member's (empty for nobody), or the
   * tag's value (empty without one).
   */
  readonly group: string;
  /** The key's name, or the member's address. */
  readonly name: string | null;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly amount: Micropoints;
}

const columns = {
  day: "to_char(u.day, 'YYYY-MM-DD')",
  model: "u.model",
  key: "u.api_key_id",
  member: "u.member",
  tag: "coalesce(u.tags ->> $7, '')",
} as const;

/**
 * SQL: the settled requests of the account `$1` with their tags, by the UTC day in which they were sent:
 * the sums of hours, and what is in none yet. `$5`: tags that they have; `$6`: names that they do not have.
 */
const taggedUsage = `(
  select t.* from (
    select account_id, api_key_id, model, (hour at time zone 'UTC')::date as day, tags, settled as requests,
           input_tokens, output_tokens, amount
      from usage_hour
     where account_id = $1 and hour >= $2::date::timestamp at time zone 'UTC' and hour < ($3::date + 1)::timestamp at time zone 'UTC'
    union all
    select w.account_id, r.api_key_id, r.model, (r.created_at at time zone 'UTC')::date, r.tags, 1, r.input_tokens, r.output_tokens, r.amount
      from usage_waiting w cross join lateral (select * from usage_row u where u.id = w.operation_id offset 0) r
     where w.account_id = $1 and r.settled = 1) t
   where coalesce(t.tags, '{}') @> $5::jsonb and not coalesce(t.tags, '{}') ?| $6::text[])`;

function sourceOf({ by }: { by: UsageGroup }, isTagged: boolean): string {
  if (isTagged) return taggedUsage;
  return by === "member" ? usageOfMembers("$2::date", "$3::date") : "usage_of_day";
}

/** SQL: the condition on the rows `u` of an owner; adds its values. */
function isOfOwner(by: UsageGroup, owner: UsageOwner, values: unknown[]): string {
  const member = `$${values.push(owner.memberId)}::text`;
  if (by === "member") return ` and u.member = ${member}`;
  return ` and u.api_key_id in (select o.id from api_key o
         where o.account_id = $1 and (o.created_by = ${member} or o.id = $${values.push(owner.apiKeyId)}::text))`;
}

/** The values that `taggedUsage` takes. */
function tagValues({ tags, group }: UsageTags): unknown[] {
  const pairs = Object.entries(tags);
  const wanted = Object.fromEntries(pairs.filter(([, value]) => value !== ""));
  const absent = pairs.filter(([, value]) => value === "").map(([name]) => name);
  return [JSON.stringify(wanted), absent, ...(group === null ? [] : [group])];
}

/**
 * What was settled from `from` to `to` (UTC days, both included): one row for each group with
 * usage. With `tags` only requests that have them, each on the day in which it was sent.
 */
export async function usageSums(
  pool: Reader,
  accountId: string,
  range: {
    from: string;
    to: string;
    by: UsageGroup;
    tags?: UsageTags | null;
    /** Null: everyone's. */
    owner?: UsageOwner | null;
  },
): Promise<UsageSum[]> {
  const { tags = null, owner = null } = range;
  const values = [
    ...[accountId, range.from, range.to, range.by],
    ...(tags === null ? [] : tagValues(tags)),
  ];
  const own = owner === null ? "" : isOfOwner(range.by, owner, values);
  const { rows } = await pool.query<
    Record<"group" | "requests" | "input" | "output" | "amount", string> & {
      name: string | null;
    }
  >(
    `select s.*, coalesce(k.name, m.email) as name from (
       select ${columns[range.by]} as "group", sum(u.requests)::bigint as requests, sum(u.input_tokens)::bigint as input,
              sum(u.output_tokens)::bigint as output, sum(u.amount)::bigint as amount
       from ${sourceOf(range, tags !== null)} u
       where u.account_id = $1 and u.day between $2::date and $3::date${own} group by 1 having sum(u.requests) <> 0) s
     left join api_key k on k.account_id = $1 and k.id = case when $4 = 'key' then s."group" end
     left join "user" m on m.id = case when $4 = 'member' then s."group" end
     order by s."group"`,
    values,
  );
  return rows.map(({ group, name, requests, input, output, amount }) => ({
    group,
    name,
    requests: Number(requests),
    inputTokens: Number(input),
    outputTokens: Number(output),
    amount: BigInt(amount),
  }));
}

export interface OneKeySpend {
  readonly name: string;
  /** The user who made the key. */
  readonly maker: string | null;
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly allowedAddresses: string[];
  readonly budget: Micropoints | null;
  readonly spent: Micropoints;
  readonly held: Micropoints;
}

/** Undefined when the account has no such key. */
export async function spendOfKey(
  pool: pg.Pool,
  accountId: string,
  apiKeyId: string,
): Promise<OneKeySpend | undefined> {
  const { rows } = await pool.query<
    Record<"spent" | "held", string> & {
      budget: string | null;
      name: string;
      maker: string | null;
      hint: string;
      created_at: Date;
      expires_at: Date | null;
      allowed_addresses: string[];
    }
  >(
    `select k.name, k.created_by as maker, k.hint, k.created_at, k.expires_at, k.allowed_addresses, b.budget,
            coalesce(b.spent, (select sum(u.amount) from usage_of_day u where u.account_id = k.account_id and u.api_key_id = k.id), 0)::bigint as spent,
            coalesce(b.held, (select sum(q.hold_amount) from open_request q where q.account_id = k.account_id and q.api_key_id = k.id), 0)::bigint as held
     from api_key k left join api_key_budget b on b.api_key_id = k.id and b.kind = 'lifetime' where k.id = $1 and k.account_id = $2`,
    [apiKeyId, accountId],
  );
  const row = rows[0];
  if (!row) return undefined;
  return {
    name: row.name,
    maker: row.maker,
    hint: row.hint,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    allowedAddresses: row.allowed_addresses,
    budget: row.budget === null ? null : BigInt(row.budget),
    spent: BigInt(row.spent),
    held: BigInt(row.held),
  };
}

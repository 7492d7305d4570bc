/** What the database has after a schedule, and what the reference expects it to have. */
import type pg from "pg";
import { expect } from "vitest";
import type { Account, Known, Limit, Reference } from "./reference";

const walletsQuery = `
  select account_id as id, credits_posted as credits, debits_posted as debits, debits_pending as pending, open_holds as open, has_limits as limited
    from wallet where account_id = any($1) order by 1`;
const limitsQuery = `
  select api_key_id as of, kind, budget, spent, held from api_key_budget where account_id = any($1)
   union all
  select account_id || ' ' || user_id, kind, budget, spent, held from member_budget where account_id = any($1)
   order by 1, 2`;
const requestsQuery = `
  select r.id, r.account_id as account, r.api_key_id as key, r.hold_amount as hold, r.outcome, r.amount, coalesce(r.input_tokens, 0) as input,
         coalesce(r.output_tokens, 0) as output, coalesce(o.is_task, t.id is not null) as task, t.status,
         array(select cause || ' ' || estimate from operator_loss l where l.operation_id = r.id order by (cause || estimate) collate "C") as losses,
         (select coalesce(sum(amount), 0) from ledger_entry e where e.operation_id = r.id) as refunded
    from request_known r left join open_request o on o.id = r.id left join video_task t on t.operation_id = r.id
   where r.account_id = any($1) order by r.id`;
const usageQuery = `
  select account_id as account, api_key_id as key, sum(requests) as requests, sum(input_tokens) as input, sum(output_tokens) as output, sum(amount) as amount
    from usage_of_day where account_id = any($1) group by 1, 2 order by 1, 2`;

const limitRow = (of: string, { kind, budget, spent, held }: Limit) => ({
  of,
  kind,
  budget: String(budget),
  spent: String(spent),
  held: String(held),
});

const requestRow = (known: Known) => ({
  id: known.id,
  account: known.account.id,
  key: known.key?.id ?? null,
  hold: String(known.hold),
  outcome: known.end?.outcome ?? null,
  amount: known.end ? String(known.end.amount) : null,
  input: String(known.tokens[0]),
  output: String(known.tokens[1]),
  task: known.isTask,
  status: known.isTask ? statusOf(known) : null,
  losses: [...known.losses].sort(),
  refunded: String(known.refunded),
});
const statusOf = ({ end }: Known) =>
  end === null ? "queued" : end.outcome === "settled" ? "succeeded" : "failed";

function usageRows(requests: readonly Known[]) {
  const sums = new Map<
    string,
    { requests: number; input: number; output: number; amount: bigint }
  >();
  for (const { account, key, end, tokens } of requests) {
    if (end?.outcome !== "settled") continue;
    const name = `${account.id},${key?.id ?? ""}`;
    const sum = sums.get(name) ?? { requests: 0, input: 0, output: 0, amount: 0n };
    sums.set(name, {
      requests: sum.requests + 1,
      input: sum.input + tokens[0],
      output: sum.output + tokens[1],
      amount: sum.amount + end.amount,
    });
  }
  return [...sums].map(([name, sum]) => {
    const [account, key] = name.split(",");
    const texts = Object.entries(sum).map(([column, value]) => [column, String(value)]);
    return { account, key, ...Object.fromEntries(texts) };
  });
}

/** Everything of these accounts is in the database as in the reference. */
export async function expectRows(
  client: pg.ClientBase,
  reference: Reference,
  accounts: readonly Account[],
): Promise<void> {
  const read = async (query: string) =>
    (await client.query(query, [accounts.map(({ id }) => id)])).rows;
  const limits = accounts.map((account) => [
    ...account.keys.flatMap((key) => [...key.limits.values()].map((one) => limitRow(key.id, one))),
    ...[...account.members].flatMap(([user, own]) =>
      [...own.values()].map((one) => limitRow(`${account.id} ${user}`, one)),
    ),
  ]);
  expect(await read(walletsQuery)).toEqual(
    accounts.map(({ id, credits, debits, pending, open }, n) => ({
      id,
      credits: String(credits),
      debits: String(debits),
      pending: String(pending),
      open,
      limited: (limits[n] ?? []).length > 0,
    })),
  );
  const unordered = (rows: readonly object[]) => new Set(rows.map((row) => JSON.stringify(row)));
  expect(unordered(await read(limitsQuery))).toEqual(unordered(limits.flat()));
  const requests = [...reference.requests.values()];
  expect(unordered(await read(requestsQuery))).toEqual(unordered(requests.map(requestRow)));
  expect(unordered(await read(usageQuery))).toEqual(unordered(usageRows(requests)));
}

/** The tags of an account's requests, and their budgets. Read-only. */
import { tagText } from "../contract/tags";
import { tagBudgetStates } from "../ledger/core/tag-budgets";
import { formatPoints } from "../money/points";
import type { QueryDeps } from "./query-deps";

interface OfAccount {
  readonly accountId: string;
}

/** Of each name, and of all together, as an answer shows them. */
const VALUES_OF_NAME_MAX = 200;
const VALUES_SHOWN_MAX = 20_000;

/** The names of this month's tags (UTC), and of each its first values in their order. */
export async function listTags({ pool }: Pick<QueryDeps, "pool">, { accountId }: OfAccount) {
  const { rows } = await pool.query<{ name: string; valueCount: number; values: string[] }>(
    `select t.name, t.value_count as "valueCount", array(select v.value from tag_value v
         where v.account_id = t.account_id and v.month = t.month and v.name = t.name order by v.value
         limit least(${VALUES_OF_NAME_MAX}, ${VALUES_SHOWN_MAX} / t.names)) as values
       from (select n.*, count(*) over () as names from tag_name n
              where n.account_id = $1 and n.month = date_trunc('month', now() at time zone 'UTC')::date) t order by t.name`,
    [accountId],
  );
  return { tags: rows };
}

export async function listTagBudgets({ pool }: Pick<QueryDeps, "pool">, { accountId }: OfAccount) {
  const states = await tagBudgetStates(pool, accountId);
  return {
    budgets: states.map(({ name, value, period, max, spent, held, left, zone, renewsAt }) => ({
      tag: tagText({ [name]: value }),
      period,
      budget: formatPoints(max),
      spent: formatPoints(spent),
      held: formatPoints(held),
      left: formatPoints(left),
      zone,
      renewsAt: renewsAt.toISOString(),
    })),
  };
}

/** The tags of an account's requests, and their budgets. Read-only. */
import { tagText } from "../contract/tags";
import { tagBudgetStates } from "../ledger/core/tag-budgets";
import { formatPoints } from "../money/points";
import type { QueryDeps } from "./query-deps";

interface OfAccount {
  readonly accountId: string;
}

/** Of each name, as an answer shows them. */
const VALUES_SHOWN_MAX = 200;

/** The names of this month's tags (UTC), and of each its values in their order. */
export async function listTags({ pool }: Pick<QueryDeps, "pool">, { accountId }: OfAccount) {
  const { rows } = await pool.query<{ name: string; valueCount: number; values: string[] }>(
    `select t.name, t.value_count as "valueCount", array(select v.value from tag_value v
         where v.account_id = t.account_id and v.month = t.month and v.name = t.name order by v.value limit ${VALUES_SHOWN_MAX}) as values
       from tag_name t where t.account_id = $1 and t.month = date_trunc('month', now() at time zone 'UTC')::date order by t.name`,
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

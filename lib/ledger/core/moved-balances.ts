/** Wallets, balances and budgets of accounts that move here, many at once in the caller's transaction. */
import type pg from "pg";
import type { Micropoints } from "../../money/points";

interface MovedBalance {
  readonly accountId: string;
  /** Names the balance at its source: once credited, it is not credited again. */
  readonly ref: string;
  /** Zero or less opens the wallet only. */
  readonly amount: Micropoints;
}

/** Opens each account's wallet, and credits its balance in one entry. */
export async function openMovedWallets(
  client: pg.ClientBase,
  balances: readonly MovedBalance[],
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<void> {
  await client.query("select ledger_open_wallet(id) from unnest($1::text[]) id", [
    balances.map(({ accountId }) => accountId),
  ]);
  const owed = balances.filter(({ amount }) => amount > 0n);
  const { rows } = await client.query<{ answer: string }>(
    "select ledger_credit(id, 'grant', ref, amount, $4, $5) as answer from unnest($1::text[], $2::text[], $3::bigint[]) b(id, ref, amount)",
    [
      owed.map(({ accountId }) => accountId),
      owed.map(({ ref }) => ref),
      owed.map(({ amount }) => amount),
      reason,
      actor,
    ],
  );
  const wrong = rows.find(({ answer }) => !answer.startsWith("d"));
  if (wrong !== undefined) throw new Error(`the ledger answered ${wrong.answer} to a balance`);
}

interface MovedBudget {
  readonly apiKeyId: string;
  readonly accountId: string;
  /** What the key may still spend. */
  readonly budget: Micropoints;
}

/** Sets the lifetime budgets of keys that were just made. */
export async function setMovedBudgets(
  client: pg.ClientBase,
  budgets: readonly MovedBudget[],
): Promise<void> {
  await client.query(
    "select ledger_set_key_budget(key, account, budget) from unnest($1::text[], $2::text[], $3::bigint[]) b(key, account, budget)",
    [
      budgets.map(({ apiKeyId }) => apiKeyId),
      budgets.map(({ accountId }) => accountId),
      budgets.map(({ budget }) => budget),
    ],
  );
}

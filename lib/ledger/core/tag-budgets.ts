/** The budgets of tags that the ledger holds, and what is left of them. */
import type { Transaction } from "../../db/client";
import type { Reader } from "../../db/pool";
import {
  byPeriod,
  type WindowBudget,
  type WindowBudgetRow,
  type WindowBudgetState,
  windowBudgetColumns,
  windowBudgetState,
} from "./window-budget";

export interface Tag {
  readonly name: string;
  readonly value: string;
}

/** Sets or lifts one budget. False: the account has as many as `budgetsMax`, and none was set. */
export async function setTagBudget(
  transaction: Transaction,
  accountId: string,
  { name, value }: Tag,
  { period, amount, zone }: WindowBudget,
  budgetsMax: number,
): Promise<boolean> {
  const [row] = await transaction.$queryRaw<{ ok: boolean }[]>`
    select ledger_set_tag_budget(${accountId}, ${name}, ${value}, ${period}, ${amount}::bigint, ${zone}, ${budgetsMax}::integer) as ok`;
  return row?.ok === true;
}

export interface TagBudgetState extends Tag, WindowBudgetState {}

const statesQuery = `
  select b.name, b.value, ${windowBudgetColumns}
    from tag_budget b where b.account_id = $1
   order by b.name, b.value, ${byPeriod}`;

/** The budgets of all tags of an account. */
export async function tagBudgetStates(pool: Reader, accountId: string): Promise<TagBudgetState[]> {
  const { rows } = await pool.query<WindowBudgetRow & Tag>(statesQuery, [accountId]);
  return rows.flatMap(({ name, value, ...row }) => {
    const state = windowBudgetState(row);
    return state === null ? [] : [{ name, value, ...state }];
  });
}

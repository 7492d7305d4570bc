/** A batch as one call of a function of the ledger. */
import type { Item } from "./item";
import type { Row, Value } from "./rows";

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Value[];
}

/** The call of a function with its first `count` parameters. */
export const callOf = (name: string, count: number): string =>
  `${name}(${Array.from({ length: count }, (_, n) => `$${n + 1}`).join(", ")})`;

/** The answer names its batch, so that an answer that came twice is never taken for the next. */
const called = (name: string, count: number) => ({
  name,
  text: `select ${callOf(name, count)}, $${count + 1}::int`,
});

const HOLD_COLUMNS = 17;
const END_COLUMNS = 17;
const holdOne = called("ledger_hold_one", 1 + HOLD_COLUMNS);
const endOne = called("ledger_end_one", END_COLUMNS);
const hold = called("ledger_hold", 2 + HOLD_COLUMNS);
const end = called("ledger_end", 1 + END_COLUMNS);
const both = called("ledger_batch", 2 + HOLD_COLUMNS + END_COLUMNS);

/** The call for one batch, which has each request once. */
export function batchStatement(nodeId: string, batch: readonly Item[]): Statement {
  const [first] = batch;
  if (batch.length === 1 && first)
    return first.isHold
      ? { ...holdOne, values: [nodeId, ...first.row] }
      : { ...endOne, values: first.row };
  // Every writer locks wallets in this order.
  const accounts = [...new Set(batch.map(({ account }) => account))].sort();
  const places = new Map(accounts.map((account, n) => [account, n + 1]));
  const everyone = listText(accounts);
  const of = (isHold: boolean) => batch.filter((item) => item.isHold === isHold);
  const ends = columns(of(false), places, END_COLUMNS);
  const holds = columns(of(true), places, HOLD_COLUMNS);
  if (ends && holds) return { ...both, values: [nodeId, everyone, ...ends, ...holds] };
  if (holds) return { ...hold, values: [nodeId, everyone, ...holds] };
  return { ...end, values: [everyone, ...(ends ?? [])] };
}

/**
 * The columns of the items' rows, each as the text of an array; the second one, the account, by its
 * place, from 1 on. Null without items.
 */
function columns(
  items: readonly Item[],
  places: ReadonlyMap<string, number>,
  count: number,
): Value[] | null {
  if (items.length === 0) return null;
  return Array.from({ length: count }, (_, n) =>
    listText(items.map(({ account, row }) => (n === 1 ? places.get(account) : row[n]) ?? null)),
  );
}

/** An array as PostgreSQL reads it. Null if it has no values: `unnest` then fills the column with nulls. */
function listText(values: Row): string | null {
  if (values.every((value) => value === null)) return null;
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, "\\$&") : value}"`;
}

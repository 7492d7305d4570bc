/** A batch as one call of a function of the ledger. */
import type { Item } from "./item";
import type { Row, Value } from "./rows";

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Value[];
}

const params = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `$${from + n}`).join(", ");

/** The answer names its batch, so that an answer that came twice is never taken for the next. */
const called = (name: string, count: number) => ({
  name,
  text: `select ${name}(${params(1, count)}), $${count + 1}::int`,
});

const HOLD_COLUMNS = 16;
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
  const payers = placesIn(accounts, batch);
  const everyone = listText(accounts);
  const columnsOf = (isHold: boolean, count: number) => {
    const isWanted = batch.map((item) => item.isHold === isHold);
    const rows = batch.filter((_, n) => isWanted[n]).map(({ row }) => row);
    return rows.length === 0
      ? null
      : columns(
          rows,
          payers.filter((_, n) => isWanted[n]),
          count,
        );
  };
  const ends = columnsOf(false, END_COLUMNS);
  const holds = columnsOf(true, HOLD_COLUMNS);
  if (ends && holds) return { ...both, values: [nodeId, everyone, ...ends, ...holds] };
  if (holds) return { ...hold, values: [nodeId, everyone, ...holds] };
  return { ...end, values: [everyone, ...(ends ?? [])] };
}

/** Of each item, the place of its account, from 1 on. */
function placesIn(accounts: readonly string[], batch: readonly Item[]): number[] {
  const places = new Map(accounts.map((account, n) => [account, n + 1]));
  return batch.map(({ account }) => places.get(account) ?? 0);
}

/** The columns of the rows, each as the text of an array; the second one, the account, by its place. */
const columns = (rows: readonly Row[], payers: Row, count: number): Value[] =>
  Array.from({ length: count }, (_, n) =>
    listText(n === 1 ? payers : rows.map((row) => row[n] ?? null)),
  );

/** As PostgreSQL reads an array. One without any value is null, which stands for as many as are asked. */
function listText(values: Row): string | null {
  if (values.every((value) => value === null)) return null;
  return `{${values.map(elementText).join(",")}}`;
}

function elementText(value: Value): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return String(value);
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, "\\$&") : value}"`;
}

/** The rates that a price formula of new-api is. */

import { type Costs, type FormulaCount, formulaCounts } from "./formula-values";
import { TOKENS_MAX } from "./limits";
import { readFormula } from "./price-formula";
import { RATES_MAX, type Unit } from "./units";

/** Different lengths and hours of one formula. */
const LENGTHS_MAX = 12;

const unitOf: Readonly<Record<FormulaCount, Unit>> = {
  p: "input_token",
  c: "output_token",
  cr: "cached_input_token",
  cc: "cache_write_token",
  ai: "input_audio_token",
  ao: "audio_token",
  1: "request",
};

export interface FormulaRate {
  readonly unit: Unit;
  /** In the currency of the formula: for a million of it, or for one request. */
  readonly cost: number;
  readonly input_from?: number;
  readonly hours?: string;
}

/** The costs of each length, from short to long. */
type Column = readonly Costs[];
interface Span {
  readonly from: number;
  readonly to: number;
  readonly column: Column;
}

const keyOf = (column: Column) => JSON.stringify(column);

/** The hours that cost the same and follow each other, round the clock. */
function spansOf(columns: readonly Column[]): Span[] {
  const keys = columns.map(keyOf);
  const begins = keys.flatMap((key, at) => (key === keys.at(at - 1) ? [] : [at]));
  return begins.flatMap((from, at) => {
    const column = columns[from];
    return column ? [{ from, to: begins[(at + 1) % begins.length] ?? 0, column }] : [];
  });
}

/** The costs of most hours. */
function usualOf(columns: readonly Column[]): Column | undefined {
  const keys = columns.map(keyOf);
  const countOf = (key: string) => keys.filter((each) => each === key).length;
  const counts = keys.map(countOf);
  return columns[counts.indexOf(Math.max(...counts))];
}

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** Of one quantity in a column: that of short requests, and each that differs from the one before. */
function ratesIn(count: FormulaCount, column: Column, starts: readonly number[]): FormulaRate[] {
  const each = column.map((costs) => (costs[count] ?? 0) / (count === "1" ? 1_000_000 : 1));
  return each.flatMap((cost, at) => {
    if (at > 0 && cost === each[at - 1]) return [];
    return [{ unit: unitOf[count], cost, ...(at > 0 && { input_from: starts[at] ?? 0 }) }];
  });
}

/**
 * Null for a formula that depends on something else than the lengths and hours of rates, or is no formula. Costs are for
 * a million tokens, and for one request.
 */
export function ratesOfFormula(text: string): FormulaRate[] | null {
  const formula = readFormula(text);
  if (formula === null || formula.lengths.length > LENGTHS_MAX) return null;
  const starts = [0, ...formula.lengths.filter((from) => from <= TOKENS_MAX)];
  const hours = formula.isTimed ? Array.from({ length: 24 }, (_, hour) => hour) : [0];
  const columns: Column[] = [];
  for (const hour of hours) {
    const column = starts.map((inputTokens) => formula.costsAt({ inputTokens, hour }));
    if (!column.every((costs) => costs !== null)) return null;
    columns.push(column);
  }
  const known = formulaCounts.filter((count) =>
    columns.some((column) => column.some((costs) => costs[count] !== undefined)),
  );
  const usual = usualOf(columns);
  if (usual === undefined) return null;
  const timed = spansOf(columns).filter(({ column }) => keyOf(column) !== keyOf(usual));
  const rates = known.flatMap((count) => {
    const own = ratesIn(count, usual, starts);
    const others = timed.flatMap(({ from, to, column }) => {
      const differing = ratesIn(count, column, starts);
      const isSame = JSON.stringify(differing) === JSON.stringify(own);
      const at = `${clock(from)}-${clock(to)}`;
      return isSame ? [] : differing.map((rate) => ({ ...rate, hours: at }));
    });
    return [...own, ...others];
  });
  const isRight = rates.every(
    ({ unit, cost, input_from: from }) =>
      cost >= 0 && Number.isFinite(cost) && !(unit === "request" && from !== undefined),
  );
  return isRight && rates.length > 0 && rates.length <= RATES_MAX ? rates : null;
}

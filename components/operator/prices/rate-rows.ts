/** The rows of the table of rates: what is typed, as texts. */
import { fieldNamedBy } from "@/components/forms/use-server-form";
import type { RateInput, RateView } from "@/lib/contract/rates";
import type { Family } from "@/lib/contract/states";
import {
  isMainRate,
  isTruthSelector,
  outputUnitOf,
  type Selector,
  selectors,
  selectorsOfUnit,
  type Unit,
  unitsOfFamily,
} from "@/lib/contract/units";
import { parsePoints, shortDecimal } from "@/lib/money/points";
import { PRICE_MAX } from "@/lib/pricing/price";

export interface RateRow {
  readonly unit: Unit;
  /** Empty for all, `yes` or `no` for what is true or false. */
  readonly ordered: Readonly<Partial<Record<Selector, string>>>;
  /** Empty when the unit is not counted. */
  readonly points: string;
  /** What the upstream asks, in money; empty when it is unknown. */
  readonly cost: string;
}

const emptyRow = (unit: Unit): RateRow => ({ unit, ordered: {}, points: "", cost: "" });

/** What most prices of a family consist of, to be filled in. */
export function firstRows(family: Family): RateRow[] {
  if (family === "text")
    return (["input_token", "cached_input_token", "output_token"] as const).map(emptyRow);
  return [emptyRow(family === "video" ? "second" : "image")];
}

/** Another row: of the first unit without one, or of the last row's. */
export function nextRow(family: Family, rows: readonly RateRow[]): RateRow {
  const free = unitsOfFamily[family].find((unit) => rows.every((row) => row.unit !== unit));
  const last = rows.at(-1)?.unit;
  const isVaried =
    family !== "text" &&
    last !== undefined &&
    selectorsOfUnit(last).some((name) => name !== "hours");
  return emptyRow((isVaried ? last : free) ?? last ?? outputUnitOf[family]);
}

/** A row of another unit keeps the conditions that this unit may have. */
export function withUnit(row: RateRow, unit: Unit): RateRow {
  const kept = selectorsOfUnit(unit).flatMap((name) => {
    const value = row.ordered[name];
    return value ? [[name, value] as const] : [];
  });
  return { ...row, unit, ordered: Object.fromEntries(kept) };
}

function orderedOf(rate: Omit<RateView, "points">): RateRow["ordered"] {
  const known = selectors.flatMap((name) => {
    const value = rate[name];
    if (value === undefined) return [];
    return [[name, typeof value === "boolean" ? (value ? "yes" : "no") : String(value)] as const];
  });
  return Object.fromEntries(known);
}

const isSame = (row: RateRow, rate: RateView) => {
  const ordered = orderedOf(rate);
  return (
    row.unit === rate.unit &&
    selectors.every((name) => (row.ordered[name] ?? "") === (ordered[name] ?? ""))
  );
};

/** The rows of a price, each with what the upstream asks for the same. */
export function rowsOf(rates: readonly RateView[], costs: readonly RateView[] = []): RateRow[] {
  return rates.map((rate) => {
    const row = { ...emptyRow(rate.unit), ordered: orderedOf(rate) };
    const cost = costs.find((each) => isSame(row, each));
    return {
      ...row,
      points: shortDecimal(rate.points),
      cost: cost === undefined ? "" : shortDecimal(cost.points),
    };
  });
}

/** What is no number of tokens is refused by name. */
function chosenOf(name: Selector, text: string) {
  if (name === "input_from") return Number(text.replaceAll(",", ""));
  return isTruthSelector(name) ? text === "yes" : text;
}

function rateOf({ unit, ordered }: RateRow, points: string): RateInput {
  const named = selectorsOfUnit(unit).flatMap((name) => {
    const value = ordered[name]?.trim();
    return value ? [[name, chosenOf(name, value)] as const] : [];
  });
  return { unit, points: points.trim(), ...Object.fromEntries(named) };
}

const ratesBy = (rows: readonly RateRow[], column: "points" | "cost") =>
  rows.filter((row) => row[column].trim() !== "").map((row) => rateOf(row, row[column]));

/** The rates of the rows that have a price. */
export const ratesOfRows = (rows: readonly RateRow[]): RateInput[] => ratesBy(rows, "points");

/** What the upstream asks, as it is noted: that of tokens in and out, and the others. */
export function upstreamOfRows(family: Family, rows: readonly RateRow[]) {
  const rates = ratesBy(rows, "cost");
  const mainOf = (unit: Unit) =>
    rates.find((rate) => isMainRate(rate) && rate.unit === unit)?.points ?? "0";
  return {
    input: family === "text" ? mainOf("input_token") : null,
    output: mainOf(outputUnitOf[family]),
    rates: rates.filter((rate) => !isMainRate(rate)),
  };
}

function isAmount(text: string): boolean {
  const amount = parsePoints(text.trim());
  return text.trim() === "" || (amount !== null && amount >= 0n && amount <= PRICE_MAX);
}

/** The place of the first row with an amount that is none; null when all are. */
export function wrongRow(rows: readonly RateRow[]): number | null {
  const at = rows.findIndex(({ points, cost }) => !isAmount(points) || !isAmount(cost));
  return at === -1 ? null : at;
}

/** All rates are one field. */
export const fieldOfRate = (error: unknown) =>
  fieldNamedBy(error)?.replace(/^rates\[.*/, "rates") ?? null;

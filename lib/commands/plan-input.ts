/** What operators say of a plan, checked. */
import {
  NAME_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PACKAGE_AMOUNT_MAX,
  PLAN_ADVANCE_MAX,
  PLAN_HOURS_MAX,
} from "../contract/limits";
import type { PlanPeriod } from "../contract/states";
import { invalidValue } from "../failures/relay-error";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { cleanText } from "./clean-text";

export interface PlanInput {
  readonly name: string;
  readonly note: string | null;
  readonly groupId: string | null;
  /** For each period. */
  readonly points: Micropoints;
  readonly period: PlanPeriod;
  /** Of a period of hours; null for the others. */
  readonly hours: number | null;
  /** In whole percent: what of the points that are left goes on into the next period. */
  readonly rolloverPercent: number;
  /** In the smallest unit of the currency; null for a plan that is free. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** How many periods are sold at once, and their price in all; null for one at a time only. */
  readonly advancePeriods?: number | null;
  readonly advanceAmount?: number | null;
  readonly isOffered: boolean;
}

function refused(param: string, message: string): never {
  throw invalidValue(param, message);
}

function assertWhole(param: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  refused(param, `The value is ${value}; it must be a whole number from ${min} to ${max}.`);
}

function assertAdvance({ amount, advancePeriods, advanceAmount }: PlanInput): void {
  const [periods, price] = [advancePeriods ?? null, advanceAmount ?? null];
  if ((periods === null) !== (price === null) || (price !== null && amount === null))
    refused(
      "advance_amount",
      "Periods that are sold at once have a price in all, of a plan with a price for one.",
    );
  if (periods !== null) assertWhole("advance_periods", periods, 2, PLAN_ADVANCE_MAX);
  if (price !== null) assertWhole("advance_amount", price, 1, PACKAGE_AMOUNT_MAX);
}

/** Throws `invalid_value`. */
export function checkedPlan(given: PlanInput): PlanInput {
  const { points, period, hours, rolloverPercent, amount, currency, note } = given;
  if (points < 1n || points > MICROPOINTS_MAX)
    refused("points", `The points are ${formatPoints(points)}; they must be more than 0.`);
  assertWhole("rollover_percent", rolloverPercent, 0, 100);
  if ((period === "hours") !== (hours !== null))
    refused("hours", `The period is ${period}; hours belong to a period of hours, and only there.`);
  if (hours !== null) assertWhole("hours", hours, 1, PLAN_HOURS_MAX);
  if ((amount === null) !== (currency === null))
    refused("currency", "A price is an amount and a currency, or neither for a plan that is free.");
  if (amount !== null) assertWhole("amount", amount, 1, PACKAGE_AMOUNT_MAX);
  if (currency !== null && !/^[a-z]{3}$/.test(currency))
    refused("currency", `The currency is ${currency}; it must be three letters, such as eur.`);
  assertAdvance(given);
  return {
    ...given,
    name: cleanText("name", given.name, NAME_LENGTH_MAX),
    note: note === null ? null : cleanText("note", note, NOTE_LENGTH_MAX),
  };
}

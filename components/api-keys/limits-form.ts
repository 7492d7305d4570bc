/** The values of the limits form, and the request bodies made from them. */
import type { ChangeKey } from "@/lib/client/api-keys";
import type { ApiKeyView, KeyDefaultsView } from "@/lib/contract/api-keys";
import {
  NAME_LENGTH_MAX,
  REQUESTS_PER_MINUTE_DEFAULT,
  REQUESTS_PER_MINUTE_MAX,
} from "@/lib/contract/limits";
import type { BudgetPeriod } from "@/lib/contract/states";
import { parsePoints, shortDecimal } from "@/lib/money/points";

const DAY_MS = 86_400_000;

export const expiryChoices = ["never", "7", "30", "90", "365", "date"] as const;

export interface LimitsInput {
  name: string;
  requestsPerMinute: string;
  /** Empty for no budget. */
  budget: string;
  /** Empty for never paused. */
  hourlySpendMax: string;
  /** Empty for all. */
  models: string[];
  /** Separated by commas or spaces; empty for all. */
  allowedAddresses: string;
  /** Empty for no budget. */
  budgetDay: string;
  budgetWeek: string;
  budgetMonth: string;
  budgetZone: string;
  /** Empty for no limit. */
  concurrentMax: string;
  tokensPerMinute: string;
  expiry: (typeof expiryChoices)[number];
  /** `2027-01-31`, with `expiry: "date"`. The key works until the end of that day. */
  expiryDate: string;
}

/** The fields, besides the name, that can be invalid. */
export const limitFields = [
  "requestsPerMinute",
  "budget",
  "hourlySpendMax",
  "models",
  "allowedAddresses",
  "budgetDay",
  "budgetWeek",
  "budgetMonth",
  "budgetZone",
  "concurrentMax",
  "tokensPerMinute",
  "expiryDate",
] as const;

type LimitsProblem = {
  field: "name" | (typeof limitFields)[number];
  problem: "name" | "requestsPerMinute" | "budget" | "count" | "models" | "date";
};

export const emptyLimits: LimitsInput = {
  name: "",
  requestsPerMinute: String(REQUESTS_PER_MINUTE_DEFAULT),
  budget: "",
  hourlySpendMax: "",
  models: [],
  allowedAddresses: "",
  budgetDay: "",
  budgetWeek: "",
  budgetMonth: "",
  budgetZone: "UTC",
  concurrentMax: "",
  tokensPerMinute: "",
  expiry: "never",
  expiryDate: "",
};

/** The initial limits of a new key, where the operators set other defaults. */
export function startingLimits(defaults: KeyDefaultsView | undefined): LimitsInput {
  if (defaults === undefined) return emptyLimits;
  return {
    ...emptyLimits,
    requestsPerMinute: String(defaults.requestsPerMinute),
    budget: pointsText(defaults.budget),
  };
}

function localDay(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

const pointsText = (amount: string | null) => (amount === null ? "" : shortDecimal(amount));
const pointsOrNull = (text: string) => (text.trim() === "" ? null : text.trim());
const countOrNull = (text: string) => (text.trim() === "" ? null : Number(text));
const isNoAmount = (text: string) => text.trim() !== "" && (parsePoints(text.trim()) ?? 0n) <= 0n;

const budgetOf = (key: ApiKeyView, period: BudgetPeriod) =>
  pointsText(key.budgets.find((each) => each.period === period)?.budget ?? null);

export function limitsOf(key: ApiKeyView): LimitsInput {
  return {
    name: key.name,
    requestsPerMinute: String(key.requestsPerMinute),
    budget: pointsText(key.budget),
    hourlySpendMax: pointsText(key.hourlySpendMax),
    models: [...key.models],
    allowedAddresses: key.allowedAddresses.join(", "),
    budgetDay: budgetOf(key, "day"),
    budgetWeek: budgetOf(key, "week"),
    budgetMonth: budgetOf(key, "month"),
    budgetZone: key.budgetZone ?? emptyLimits.budgetZone,
    concurrentMax: String(key.concurrentMax ?? ""),
    tokensPerMinute: String(key.tokensPerMinute ?? ""),
    expiry: key.expiresAt ? "date" : "never",
    expiryDate: key.expiresAt ? localDay(new Date(key.expiresAt)) : "",
  };
}

function expiryOf(input: LimitsInput, now: number): string | null {
  if (input.expiry === "never") return null;
  if (input.expiry === "date") return new Date(`${input.expiryDate}T23:59:59`).toISOString();
  return new Date(now + Number(input.expiry) * DAY_MS).toISOString();
}

export function problemsOf(
  input: LimitsInput,
  isModelChoiceOpen: boolean,
  now: number,
): LimitsProblem[] {
  const problems: LimitsProblem[] = [];
  const name = input.name.trim();
  if (name.length < 1 || name.length > NAME_LENGTH_MAX)
    problems.push({ field: "name", problem: "name" });
  const rate = Number(input.requestsPerMinute);
  if (!/^\d+$/.test(input.requestsPerMinute.trim()) || rate < 1 || rate > REQUESTS_PER_MINUTE_MAX) {
    problems.push({ field: "requestsPerMinute", problem: "requestsPerMinute" });
  }
  if (isNoAmount(input.budget)) problems.push({ field: "budget", problem: "budget" });
  if (isNoAmount(input.hourlySpendMax))
    problems.push({ field: "hourlySpendMax", problem: "budget" });
  for (const field of ["budgetDay", "budgetWeek", "budgetMonth"] as const)
    if (isNoAmount(input[field])) problems.push({ field, problem: "budget" });
  for (const field of ["concurrentMax", "tokensPerMinute"] as const)
    if (!/^([1-9]\d{0,8})?$/.test(input[field].trim())) problems.push({ field, problem: "count" });
  if (isModelChoiceOpen && input.models.length === 0)
    problems.push({ field: "models", problem: "models" });
  if (input.expiry === "date" && !(new Date(`${input.expiryDate}T23:59:59`).getTime() > now))
    problems.push({ field: "expiryDate", problem: "date" });
  return problems;
}

export function limitsBody(input: LimitsInput, now: number): ChangeKey & { name: string } {
  return {
    name: input.name.trim(),
    requestsPerMinute: Number(input.requestsPerMinute),
    budget: pointsOrNull(input.budget),
    hourlySpendMax: pointsOrNull(input.hourlySpendMax),
    models: input.models,
    allowedAddresses: input.allowedAddresses.split(/[\s,]+/).filter(Boolean),
    budgetDay: pointsOrNull(input.budgetDay),
    budgetWeek: pointsOrNull(input.budgetWeek),
    budgetMonth: pointsOrNull(input.budgetMonth),
    budgetZone: input.budgetZone.trim() || emptyLimits.budgetZone,
    concurrentMax: countOrNull(input.concurrentMax),
    tokensPerMinute: countOrNull(input.tokensPerMinute),
    expiresAt: expiryOf(input, now),
  };
}

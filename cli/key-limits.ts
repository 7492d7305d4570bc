/** The options with which the commands of keys take limits. `none` lifts a limit. */
import type { Micropoints } from "@/lib/money/points";
import type { Flags } from "./command";

const NONE = "none";

export const limitUsage =
  "[--rpm N] [--budget POINTS] [--models M,…] [--expires ISO] [--hourly-max POINTS] [--addresses A,…] [--daily POINTS] [--weekly POINTS] [--monthly POINTS] [--zone Z] [--concurrent N] [--tokens-per-minute N]";

/** Undefined when the option was not given. */
function given<Value>(
  flags: Flags,
  name: string,
  read: () => Value | undefined,
): Value | null | undefined {
  const text = flags.optional(name);
  if (text === null) return undefined;
  return text === NONE ? null : read();
}

function points(flags: Flags, name: string): Micropoints | null | undefined {
  return given(flags, name, () => flags.pointsNotNegative(name));
}

function list(flags: Flags, name: string): string[] | undefined {
  const text = flags.optional(name);
  if (text === null) return undefined;
  const items = text.split(",").map((item) => item.trim());
  return text === NONE ? [] : items.filter((item) => item !== "");
}

const budgetsIn = (flags: Flags) => ({
  budgetDay: points(flags, "daily"),
  budgetWeek: points(flags, "weekly"),
  budgetMonth: points(flags, "monthly"),
  budgetZone: flags.optional("zone") ?? undefined,
});

export const limitsIn = (flags: Flags) => ({
  requestsPerMinute: flags.whole("rpm"),
  budget: points(flags, "budget"),
  models: list(flags, "models"),
  expiresAt: given(flags, "expires", () => flags.moment("expires")),
  hourlySpendMax: points(flags, "hourly-max"),
  allowedAddresses: list(flags, "addresses"),
  ...budgetsIn(flags),
  concurrentMax: given(flags, "concurrent", () => flags.whole("concurrent")),
  tokensPerMinute: given(flags, "tokens-per-minute", () => flags.whole("tokens-per-minute")),
});

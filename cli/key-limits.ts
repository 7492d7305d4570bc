/** The options with which the commands of keys take limits. `none` lifts a limit. */
import type { Micropoints } from "@/lib/points";
import type { Flags } from "./command";

const NONE = "none";

export const limitUsage =
  "[--rpm N] [--budget POINTS] [--models M,…] [--expires ISO] [--hourly-max POINTS] [--addresses A,…]";

export const limitOptions = {
  rpm: "string",
  budget: "string",
  models: "string",
  expires: "string",
  "hourly-max": "string",
  addresses: "string",
} as const;

/** Undefined when the option was not given. */
function given<Value>(flags: Flags, name: string, read: () => Value): Value | null | undefined {
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

export const limitsIn = (flags: Flags) => ({
  requestsPerMinute: flags.whole("rpm"),
  budget: points(flags, "budget"),
  models: list(flags, "models"),
  expiresAt: given(flags, "expires", () => flags.moment("expires")),
  hourlySpendMax: points(flags, "hourly-max"),
  allowedAddresses: list(flags, "addresses"),
});

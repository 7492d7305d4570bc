/** Which requests the usage page reads: of some days, and of what is chosen. */
import { z } from "zod";
import { day } from "./bounds";
import { ID_LENGTH_MAX, MODEL_LENGTH_MAX } from "./limits";
import { pointsInput } from "./points";
import { dialects, holdStates } from "./states";
import { tagFilter } from "./tags";

const DAY_MS = 86_400_000;
export const RANGE_DAYS_MAX = 366;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const usageRange = { from: day, to: day };

export function isFairRange({ from, to }: { from: string; to: string }): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return days >= 0 && days < RANGE_DAYS_MAX;
}
export const fairRange = {
  path: ["from"],
  message: `the range must have 1 to ${RANGE_DAYS_MAX} days`,
};

export const usageFilter = z.object({
  ...usageRange,
  /** The time zone of the days, as an IANA name. */
  zone: z
    .string()
    .max(60)
    .refine(isZone, "it must be a time zone, such as Europe/Paris")
    .default("UTC"),
  model: z.string().min(1).max(MODEL_LENGTH_MAX).optional(),
  /** An API key's id, or `none` for requests from pages. */
  key: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  /** A user's id: what was ordered with the keys that the user made, and by the user in the playground. */
  member: z.string().min(1).max(ID_LENGTH_MAX).optional(),
  status: z.enum(holdStates).optional(),
  dialect: z.enum(dialects).optional(),
  /** Only requests whose charge is at least, and at most, this number of points. */
  pointsMin: pointsInput.optional(),
  pointsMax: pointsInput.optional(),
  /** Such as `team=a, job=7`: all of them match. `team=`: without the tag. */
  tag: tagFilter.optional(),
});

export type UsageFilterView = z.input<typeof usageFilter>;

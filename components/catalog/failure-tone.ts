/** Fewer failures than this are not marked: there is always one. */
const MARKED_MIN = 0.01;
/** From here on a part of a day is said to fail. */
const BAD_MIN = 0.05;

/** How failures are shown, by their share of all requests; null when they are not. */
export function failureTone(success: number): "held" | "bad" | null {
  const failed = 1 - success;
  // Shares are quotients: 0.99 is not exactly a hundredth below 1.
  if (failed < MARKED_MIN - 1e-9) return null;
  return failed < BAD_MIN - 1e-9 ? "held" : "bad";
}

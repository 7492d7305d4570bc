/** Channels that need an operator now. */
import type { ChannelView } from "../contract/operator-channels";

type Health = Pick<ChannelView["health"], "last15Minutes" | "cooldownUntil">;

const ATTEMPTS_MIN = 5;
const FAILED_SHARE_MIN = 0.2;

/** The share of the last attempts that failed; null where there are too few to tell. */
export function failedShare({ last15Minutes: { succeeded, failed } }: Health): number | null {
  const counted = succeeded + failed;
  return counted < ATTEMPTS_MIN ? null : failed / counted;
}

/** The failures of a channel that takes requests, among attempts too few to tell; null for none. */
export function fewFailures({ state, health }: Pick<ChannelView, "state"> & { health: Health }) {
  const { succeeded, failed } = health.last15Minutes;
  if (state !== "active" || failed === 0 || failedShare(health) !== null) return null;
  return { failed, count: succeeded + failed };
}

/** Whether a channel that takes requests fails many of them, or is in cooldown after failures. */
export function isFailing({ state, health }: Pick<ChannelView, "state"> & { health: Health }) {
  if (state !== "active") return false;
  return health.cooldownUntil !== null || (failedShare(health) ?? 0) >= FAILED_SHARE_MIN;
}

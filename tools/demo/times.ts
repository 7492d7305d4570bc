/** The times of the demo. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How many days the history has. */
export const HISTORY_DAYS = 92;

/** A time of the day (UTC) some days before the end's day. */
export const momentOf = (end: number, daysAgo: number, hour: number): number =>
  Math.floor((end - daysAgo * DAY) / DAY) * DAY + hour * HOUR;

/** When the history begins: the prices apply, and the clock is set to it. */
export const startOf = (end: number): number => momentOf(end, HISTORY_DAYS, 0);

/** From when on requests are taken: there are accounts, channels and prices by then. */
export const openedAt = (end: number): number => momentOf(end, HISTORY_DAYS, 14);

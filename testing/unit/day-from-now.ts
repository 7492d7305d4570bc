/** The day in UTC, such as `2026-11-21`, `days` from now: below zero for one that has been. */
export const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

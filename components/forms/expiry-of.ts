const DAY_MS = 86_400_000;

/** The moment that is `days` from now, as the API takes it; null for `never`. */
export const expiryOf = (days: string) =>
  days === "never" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();

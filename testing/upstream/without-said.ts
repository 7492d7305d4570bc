/** A result as text without the upstream's own words, which may stand in `said` and nowhere else. */
export const withoutSaid = (result: unknown): string =>
  JSON.stringify(result, (name, value: unknown) => (name === "said" ? undefined : value));

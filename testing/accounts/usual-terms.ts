/** The terms of an account without any of its own. */
export const usualTerms = { multiplierPpm: () => 1_000_000, sees: () => true };

import type { ApiKeyPrincipal } from "@/lib/accounts/principal";

/** The terms of an account without any of its own. */
export const usualTerms = { multiplierPpm: () => 1_000_000, sees: () => true };

/** A key of an account for which nothing is special. */
export const usualPrincipal: ApiKeyPrincipal = {
  ...{ kind: "apiKey", accountId: "a", apiKeyId: "k", rateSubject: "k" },
  ...{ requestsPerMinute: 60, models: [] },
  ...usualTerms,
};

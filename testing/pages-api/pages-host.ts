import type { PagesHost } from "@/lib/pages-api/use-case";

/** A host for the pages' API in tests: what a test does not give is as usual for a user signed in. */
export const pagesHostOf = (
  given: Pick<PagesHost, "deps" | "currentUser"> & Partial<PagesHost>,
): PagesHost => ({
  publicUrl: () => "http://localhost:3000",
  isOperator: (user) => user.isOperator,
  hasRecentProof: async () => true,
  provesByPassword: () => true,
  assertPlace: async () => {},
  pendingSignIn: async () => null,
  isSettingUp: () => false,
  cookie: async () => undefined,
  currentSessionId: async () => null,
  admit: () => {},
  renewedCookie: async () => "",
  report: () => {},
  ...given,
});

import type pg from "pg";
import { REQUESTS_PER_MINUTE_DEFAULT } from "../contract/limits";
import { RelayError } from "../errors";
import { readTerms } from "./account-terms";
import type { SessionPrincipal, SignedIn } from "./principal";

/**
 * The principal of a session whose account may spend. Throws `sign_in_required`,
 * `account_suspended` or `database_unavailable`.
 */
export async function readSessionPrincipal(
  pool: pg.Pool,
  { accountId, userId }: SignedIn,
): Promise<SessionPrincipal> {
  const terms = await readTerms(pool, accountId);
  if (terms === null) throw new RelayError("sign_in_required");
  if (terms.status !== "active") throw new RelayError("account_suspended");
  return {
    kind: "session",
    accountId,
    apiKeyId: null,
    userId,
    rateSubject: `playground:${accountId}`,
    // The same limit as a new key's.
    requestsPerMinute: REQUESTS_PER_MINUTE_DEFAULT,
    models: [],
    multiplierPpm: terms.multiplierPpm,
    sees: terms.sees,
  };
}

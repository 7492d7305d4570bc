import type pg from "pg";
import { REQUESTS_PER_MINUTE_DEFAULT } from "../contract/limits";
import { RelayError } from "../failures/relay-error";
import { readTerms } from "./account-terms";
import type { SessionPrincipal, SignedIn } from "./principal";

/** A retry of the order finds its note. */
const note = `
insert into playground_operation (operation_id, account_id, user_id) values ($1, $2, $3) on conflict do nothing`;
const forget = `
delete from playground_operation p where p.operation_id = $1 and p.account_id = $2
   and not exists (select from request_known r where r.id = p.operation_id)`;

/** Rejects with `database_unavailable`, as the hold would. */
async function write(pool: pg.Pool, sql: string, values: readonly string[]): Promise<void> {
  try {
    await pool.query(sql, [...values]);
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "order could not be noted" });
  }
}

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
    noteOrder: (operationId) => write(pool, note, [operationId, accountId, userId]),
    forgetOrder: (operationId) => write(pool, forget, [operationId, accountId]),
    // Each person has the limit of a new key.
    rateSubject: `playground:${accountId}:${userId}`,
    requestsPerMinute: REQUESTS_PER_MINUTE_DEFAULT,
    models: [],
    multiplierPpm: terms.multiplierPpm,
    sees: terms.sees,
    keepsContent: terms.keepsContent,
  };
}

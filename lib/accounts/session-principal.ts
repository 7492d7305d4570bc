import type pg from "pg";
import { REQUESTS_PER_MINUTE_DEFAULT } from "../contract/limits";
import { RelayError } from "../errors";
import type { SessionPrincipal, SignedIn } from "./principal";

interface AccountRow {
  readonly status: string;
  readonly multiplier_ppm: number;
  readonly model_multipliers: Record<string, number> | null;
}

const byId = `
  select a.status, a.multiplier_ppm,
    (select json_object_agg(m.model, m.multiplier_ppm) from account_model_multiplier m where m.account_id = a.id) as model_multipliers
  from account a where a.id = $1`;

async function readAccount(pool: pg.Pool, accountId: string): Promise<AccountRow | undefined> {
  try {
    return (
      await pool.query<AccountRow>({ name: "session-account", text: byId, values: [accountId] })
    ).rows[0];
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "account look-up failed" });
  }
}

/**
 * The principal of a session whose account may spend. Throws `sign_in_required`,
 * `account_suspended` or `database_unavailable`.
 */
export async function readSessionPrincipal(
  pool: pg.Pool,
  { accountId }: SignedIn,
): Promise<SessionPrincipal> {
  const row = await readAccount(pool, accountId);
  if (row === undefined) throw new RelayError("sign_in_required");
  if (row.status !== "active") throw new RelayError("account_suspended");
  const own = new Map(Object.entries(row.model_multipliers ?? {}));
  return {
    kind: "session",
    accountId,
    apiKeyId: null,
    rateSubject: `playground:${accountId}`,
    // The same limit as a new key's.
    requestsPerMinute: REQUESTS_PER_MINUTE_DEFAULT,
    models: [],
    multiplierPpm: (model) => own.get(model) ?? row.multiplier_ppm,
  };
}

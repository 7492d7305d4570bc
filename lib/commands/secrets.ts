/** Rotates the installation's secret while servers run, and removes the previous one. */
import type pg from "pg";
import { recordAction } from "../accounts/actions";
import { sealedTotp } from "../accounts/second-factor/totp";
import { readSeals, resealCredentials } from "../channels/reseal";
import { openSecrets, removePrevious, replaceSecret, type Secrets } from "../crypto/secrets";
import { hasPrevious, reseal } from "../db/reseal";
import { inTransaction } from "../db/transaction";
import { sealedWebhooks } from "../notifications/webhook-secret";
import type { Settings } from "../settings/settings";
import { sealedKeys } from "../stored-responses/account-key";
import type { CommandDeps } from "./command-deps";

interface Deps extends Pick<CommandDeps, "pool"> {
  readonly settings: Settings;
}

interface RotationDeps extends Deps {
  /** Runs `work` on a connection without a statement timeout. */
  patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
}

/** Allows one rotation at a time, on whichever machine it was started. */
const ROTATION_LOCK = 7_275_618;

const exclusively = "select pg_try_advisory_lock($1) as ok";

/**
 * The last recorded action about the secret. The secret is a file or a variable, which no
 * transaction covers. A command that was interrupted before its record is recognized by this, and
 * completed when it is sent again.
 */
async function lastRecorded(queries: Pick<pg.ClientBase, "query">): Promise<string | null> {
  const { rows } = await queries.query<{ action: string }>(
    "select action from operator_action where subject = 'installation' and action in ('secret.rotate', 'secret.forget') order by seq desc limit 1",
  );
  return rows[0]?.action ?? null;
}

/** The first kind of which one is still under the previous secret; null for none. */
async function previousKind(pool: pg.Pool, secrets: Secrets): Promise<string | null> {
  if (await hasPrevious(pool, sealedKeys, secrets)) return sealedKeys.name;
  if (await hasPrevious(pool, sealedTotp, secrets)) return sealedTotp.name;
  return (await hasPrevious(pool, sealedWebhooks, secrets)) ? sealedWebhooks.name : null;
}

async function assertRotatable({ settings, pool }: Deps, before: Secrets): Promise<void> {
  const isOwnFile = settings.RELAY_SECRET === undefined;
  const isUnderWay = before.accepted.length > 1;
  if (!isUnderWay && !isOwnFile) {
    throw new Error(
      "first set RELAY_SECRET to the new secret and RELAY_SECRET_PREVIOUS to the old one on every server",
    );
  }
  const { unknown, previous } = await readSeals(pool, before);
  if (unknown.length > 0) {
    throw new Error(
      `credentials are encrypted under neither secret: ${unknown.map(({ name }) => name).join(", ")}; enter them again first`,
    );
  }
  if (
    isUnderWay &&
    isOwnFile &&
    previous.length === 0 &&
    (await previousKind(pool, before)) === null &&
    (await lastRecorded(pool)) === "secret.rotate"
  ) {
    throw new Error(
      "the previous secret is still accepted: end that rotation with `secret forget` first",
    );
  }
}

/**
 * Creates a new secret and re-encrypts the credentials and the keys of stored responses under it.
 * Sent again, it completes a rotation that was interrupted.
 */
export function rotateSecret(
  deps: RotationDeps,
  actor: string,
): Promise<{ credentials: number; accountsWithCallbacks: number }> {
  const { settings, pool, patiently } = deps;
  return patiently(async (client) => {
    const { rows } = await client.query<{ ok: boolean }>(exclusively, [ROTATION_LOCK]);
    if (!rows[0]?.ok) throw new Error("another rotation is running");
    const before = openSecrets(settings);
    await assertRotatable(deps, before);
    if (before.accepted.length < 2) replaceSecret(settings.RELAY_DATA_DIR);
    const secrets = openSecrets(settings);
    const credentials = await resealCredentials(pool, secrets);
    await reseal(pool, sealedKeys, secrets);
    await reseal(pool, sealedTotp, secrets);
    await reseal(pool, sealedWebhooks, secrets);
    await inTransaction(pool, (transaction) =>
      recordAction(transaction, actor, "secret.rotate", "installation", {
        detail: { credentials },
      }),
    );
    const told = await pool.query<{ accounts: number }>(
      "select count(distinct account_id)::int as accounts from callback_delivery where created_at > now() - interval '30 days'",
    );
    return { credentials, accountsWithCallbacks: told.rows[0]?.accounts ?? 0 };
  });
}

/**
 * Ends a rotation. Returns whether the previous secret was in a file of ours, which is removed
 * then; otherwise operators remove it from the environment.
 */
export async function forgetSecret(
  { settings, pool }: Deps,
  actor: string,
): Promise<{ isOwnFile: boolean }> {
  const secrets = openSecrets(settings);
  if (secrets.accepted.length < 2) throw new Error("there is no previous secret");
  const { previous } = await readSeals(pool, secrets);
  if (previous.length > 0)
    throw new Error(
      `${previous.length} credentials are still encrypted under the previous secret: run \`secret rotate\` again`,
    );
  const kind = await previousKind(pool, secrets);
  if (kind !== null)
    throw new Error(
      `${kind} are still encrypted under the previous secret: run \`secret rotate\` again`,
    );
  const isOwnFile = settings.RELAY_SECRET === undefined;
  await inTransaction(pool, async (transaction) => {
    if ((await lastRecorded(transaction)) === "secret.forget") return;
    await recordAction(transaction, actor, "secret.forget", "installation");
  });
  // The file is removed last: without it, the command could not be repeated to write its record.
  if (isOwnFile) removePrevious(settings.RELAY_DATA_DIR);
  return { isOwnFile };
}

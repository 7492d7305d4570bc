/** Commands about the addresses where an account's programs are told. */
import { recordAction } from "../accounts/actions";
import { makeOnce } from "../accounts/once-effect";
import type { AuditAction } from "../contract/audit-actions";
import { WEBHOOKS_PER_ACCOUNT_MAX } from "../contract/limits";
import type { NotificationKind } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { isCountLimit } from "../db/database-errors";
import type { WebhookEndpoint } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import { newWebhookSecret, sealWebhookSecret } from "../notifications/webhook-secret";
import { withoutUndefined } from "../values/records";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;
type SecretDeps = Pick<CommandDeps, "database" | "secrets">;
type Change = Parameters<Transaction["webhookEndpoint"]["update"]>[0]["data"];

export interface NamedWebhook {
  readonly id: string;
  readonly accountId: string;
}

const OLD_SECRET_MS = 24 * 3_600_000;

function refusedByCount(error: unknown): never {
  if (!isCountLimit(error)) throw error;
  const max = WEBHOOKS_PER_ACCOUNT_MAX;
  throw new RelayError("invalid_value", {
    message: `An account can have at most ${max} webhooks. Remove one first.`,
    fault: { name: "too_many", sent: max + 1, bound: max },
  });
}

/** Rejects with `not_found`, also for another account's. */
async function findOwn(
  transaction: Pick<Transaction, "webhookEndpoint">,
  { id, accountId }: NamedWebhook,
): Promise<WebhookEndpoint> {
  const found = await transaction.webhookEndpoint.findFirst({ where: { id, accountId } });
  if (found === null) throw new RelayError("not_found", { message: "There is no such webhook." });
  return found;
}

/** Adds an endpoint. `secret` is returned only here and by a rotation. */
export async function createWebhook(
  { database, secrets }: SecretDeps,
  actor: string,
  input: { accountId: string; url: string; kinds: readonly NotificationKind[] },
): Promise<{ webhook: WebhookEndpoint; secret: string }> {
  const { accountId, url } = input;
  const kinds = [...new Set(input.kinds)];
  return makeOnce(database, async (transaction) => {
    const [id, secret] = [newId("webhook"), newWebhookSecret()];
    const sealed = sealWebhookSecret(secrets.current, id, secret);
    const webhook = await transaction.webhookEndpoint
      .create({ data: { id, accountId, url, kinds, sealed } })
      .catch(refusedByCount);
    const detail = { account: accountId };
    const after = { url, kinds };
    await recordAction(transaction, actor, "webhook.create", id, { detail, after });
    return { webhook, secret };
  });
}

/** Changes an own endpoint by what `dataOf` returns, and records `action`. */
async function changeIn(
  transaction: Transaction,
  actor: string,
  named: NamedWebhook,
  action: AuditAction,
  dataOf: (before: WebhookEndpoint) => Change | null,
): Promise<WebhookEndpoint> {
  const before = await findOwn(transaction, named);
  const data = dataOf(before);
  if (data === null) return before;
  const { id, accountId } = named;
  const changed = await transaction.webhookEndpoint.update({ where: { id }, data });
  // What was about a person is not sent again, to where another one wishes.
  if (changed.url !== before.url)
    await transaction.$executeRaw`
      delete from webhook_delivery d using notification n
       where d.endpoint_id = ${id} and n.id = d.notification_id and n.user_id is not null`;
  const detail = { account: accountId };
  const sides =
    action === "webhook.change"
      ? {
          before: { url: before.url, kinds: before.kinds },
          after: { url: changed.url, kinds: changed.kinds },
        }
      : {};
  await recordAction(transaction, actor, action, id, { detail, ...sides });
  return changed;
}

type ChangeArguments = Parameters<typeof changeIn> extends [unknown, ...infer Rest] ? Rest : never;

const change = ({ database }: Deps, ...given: ChangeArguments): Promise<WebhookEndpoint> =>
  inDatabaseTransaction(database, (transaction) => changeIn(transaction, ...given));

export function changeWebhook(
  deps: Deps,
  actor: string,
  input: NamedWebhook & {
    url?: string | undefined;
    kinds?: readonly NotificationKind[] | undefined;
  },
): Promise<WebhookEndpoint> {
  const kinds = input.kinds && [...new Set(input.kinds)];
  return change(deps, actor, input, "webhook.change", () =>
    withoutUndefined({ url: input.url, kinds }),
  );
}

/** What is told meanwhile is not sent later. Repeating it changes nothing. */
export function pauseWebhook(deps: Deps, actor: string, named: NamedWebhook) {
  return change(deps, actor, named, "webhook.pause", ({ pausedAt }) =>
    pausedAt === null ? { pausedAt: new Date() } : null,
  );
}

/** Repeating it changes nothing. */
export function resumeWebhook(deps: Deps, actor: string, named: NamedWebhook) {
  return change(deps, actor, named, "webhook.resume", ({ pausedAt }) =>
    pausedAt === null ? null : { pausedAt: null, failingSince: null },
  );
}

/** Makes a new secret. What is sent in the next 24 hours is signed with the old one too. */
export async function rotateWebhook(
  { database, secrets }: SecretDeps,
  actor: string,
  named: NamedWebhook,
): Promise<{ webhook: WebhookEndpoint; secret: string }> {
  return makeOnce(database, async (transaction) => {
    const secret = newWebhookSecret();
    const sealed = sealWebhookSecret(secrets.current, named.id, secret);
    const oldUntil = new Date(Date.now() + OLD_SECRET_MS);
    const webhook = await changeIn(transaction, actor, named, "webhook.rotate", (before) => ({
      sealed,
      oldSealed: before.sealed,
      oldUntil,
    }));
    return { webhook, secret };
  });
}

/** Removes an endpoint with its log. Rejects with `not_found`. */
export function removeWebhook(
  { database }: Deps,
  actor: string,
  { id, accountId }: NamedWebhook,
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { url } = await findOwn(transaction, { id, accountId });
    await transaction.webhookEndpoint.delete({ where: { id } });
    const detail = { account: accountId, url };
    await recordAction(transaction, actor, "webhook.remove", id, { detail });
  });
}

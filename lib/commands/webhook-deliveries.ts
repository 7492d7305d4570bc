/** Commands about what is sent to webhooks: a test, the same again, and the end after failures. */
import { recordAction } from "../accounts/actions";
import { inDatabaseTransaction, inTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import type { NamedWebhook } from "./webhooks";

const missing = () => new RelayError("not_found", { message: "There is no such webhook." });
const TESTS_WAITING_MAX = 5;

/** Sends a test. Rejects with `not_found`; with `invalid_value` while others wait or it is paused. */
export async function testWebhook(
  { database }: Pick<CommandDeps, "database">,
  { id, accountId }: NamedWebhook,
): Promise<void> {
  await inDatabaseTransaction(database, async (transaction) => {
    const endpoint = await transaction.webhookEndpoint.findFirst({ where: { id, accountId } });
    if (endpoint === null) throw missing();
    if (endpoint.pausedAt !== null)
      throw new RelayError("invalid_value", { message: "The webhook is paused. Resume it first." });
    const open = { notificationId: null, deliveredAt: null, givenUpAt: null };
    const waiting = await transaction.webhookDelivery.count({ where: { endpointId: id, ...open } });
    if (waiting >= TESTS_WAITING_MAX)
      throw new RelayError("invalid_value", { message: "Other tests are still waiting." });
    await transaction.webhookDelivery.create({ data: { endpointId: id } });
  });
}

/**
 * Sends a delivery again under its id, or at once if it still waits. Rejects with `not_found`, also
 * for another account's.
 */
export async function redeliverWebhook(
  { pool }: Pick<CommandDeps, "pool">,
  { id, accountId }: NamedWebhook,
): Promise<void> {
  if (!/^\d{1,18}$/.test(id)) throw missing();
  const { rowCount } = await pool.query(
    `update webhook_delivery d set next_attempt_at = now(), delivered_at = null, given_up_at = null,
            attempts = case when d.delivered_at is null and d.given_up_at is null then d.attempts else 0 end
       from webhook_endpoint e where e.id = d.endpoint_id and d.id = $1 and e.account_id = $2`,
    [id, accountId],
  );
  if (rowCount === 0) throw missing();
}

/** Pauses an endpoint that is gone or failed for days, and tells its owner, once. */
export function pauseFailingWebhook(
  { pool }: Pick<CommandDeps, "pool">,
  actor: string,
  { id }: { id: string },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ account: string }>(
      `with paused as (
         update webhook_endpoint set paused_at = now() where id = $1 and paused_at is null returning id, account_id, url
       ), told as (
         insert into notification (account_id, kind, dedupe_key, data)
           select account_id, 'webhook_paused', 'webhook_paused:' || id || ':' || extract(epoch from now()),
                  jsonb_build_object('webhook', id, 'url', url) from paused
       )
       select account_id as account from paused`,
      [id],
    );
    const [paused] = rows;
    if (paused === undefined) return;
    const detail = { account: paused.account };
    await recordAction(client, actor, "webhook.pause", id, { detail });
  });
}

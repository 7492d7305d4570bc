import { WEBHOOK_LOG_ROWS } from "../contract/limits";
import { notificationKinds } from "../contract/states";
import type { WebhookDeliveryView, WebhookView } from "../contract/webhooks";
import type { WebhookEndpoint } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";
import type { QueryDeps } from "./query-deps";

export function webhookView(endpoint: WebhookEndpoint): WebhookView {
  const { id, url, kinds, createdAt, failingSince, pausedAt } = endpoint;
  return {
    id,
    url,
    kinds: notificationKinds.filter((kind) => kinds.includes(kind)),
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
  };
}

/** The account's endpoints, oldest first. */
export async function listWebhooks(
  { database }: Pick<QueryDeps, "database">,
  accountId: string,
): Promise<WebhookView[]> {
  const orderBy = { createdAt: "asc" } as const;
  const found = await database.webhookEndpoint.findMany({
    where: { accountId },
    orderBy,
    take: 100,
  });
  return found.map(webhookView);
}

interface Row extends Omit<WebhookDeliveryView, "createdAt"> {
  readonly created_at: Date;
}

const log = `
  select d.id::text as id, n.kind, d.created_at, d.attempts, d.last_answer as "lastAnswer",
         case when d.delivered_at is not null then 'sent' when d.given_up_at is not null then 'given_up' else 'waiting' end as state
    from webhook_delivery d left join notification n on n.id = d.notification_id
   where d.endpoint_id = $1 order by d.id desc limit ${WEBHOOK_LOG_ROWS}`;

/** The last deliveries, newest first. Rejects with `not_found`, also for another account's endpoint. */
export async function listDeliveries(
  { database, pool }: Pick<QueryDeps, "database" | "pool">,
  { id, accountId }: { id: string; accountId: string },
): Promise<WebhookDeliveryView[]> {
  if ((await database.webhookEndpoint.count({ where: { id, accountId } })) === 0)
    throw new RelayError("not_found", { message: "There is no such webhook." });
  const { rows } = await pool.query<Row>(log, [id]);
  return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() }));
}

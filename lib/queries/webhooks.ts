import { WEBHOOK_LOG_ROWS } from "../contract/limits";
import { rolesOf } from "../contract/member-roles";
import { notificationKinds } from "../contract/states";
import type { WebhookDeliveryView, WebhookView } from "../contract/webhooks";
import type { WebhookEndpoint } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";
import type { QueryDeps } from "./query-deps";

/**
 * The endpoints whose secret was shown last to a member who may not change them any more, or to a management
 * key that is revoked or whose maker is such a member.
 */
const needingRotation = `
  select w.id from webhook_endpoint w cross join lateral (
    select a.actor from operator_action a where a.subject = w.id and a.action in ('webhook.create', 'webhook.rotate')
     order by a.id desc limit 1) shown left join management_key k on k.id = shown.actor
   where w.id = any($1) and shown.actor <> 'cli' and (k.revoked_at is not null or not exists (
     select from account_member m where m.account_id = w.account_id and m.user_id = coalesce(k.created_by, shown.actor)
        and m.role = any($2)))`;

/** Endpoints as their account's members see them, in the same order. */
async function webhookViews(
  { pool }: Pick<QueryDeps, "pool">,
  endpoints: readonly WebhookEndpoint[],
): Promise<WebhookView[]> {
  const values = [endpoints.map(({ id }) => id), rolesOf.changeAccount];
  const out = new Set(
    (await pool.query<{ id: string }>(needingRotation, values)).rows.map(({ id }) => id),
  );
  return endpoints.map(({ id, url, kinds, createdAt, failingSince, pausedAt }) => ({
    id,
    url,
    kinds: notificationKinds.filter((kind) => kinds.includes(kind)),
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
    needsRotation: out.has(id),
  }));
}

export async function showWebhook(
  deps: Pick<QueryDeps, "pool">,
  endpoint: WebhookEndpoint,
): Promise<WebhookView> {
  const [view] = await webhookViews(deps, [endpoint]);
  if (view === undefined) throw new Error("an endpoint has no view");
  return view;
}

/** The account's endpoints, oldest first. */
export async function listWebhooks(
  { database, pool }: Pick<QueryDeps, "database" | "pool">,
  accountId: string,
): Promise<WebhookView[]> {
  const orderBy = { createdAt: "asc" } as const;
  const found = await database.webhookEndpoint.findMany({
    where: { accountId },
    orderBy,
    take: 100,
  });
  return webhookViews({ pool }, found);
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

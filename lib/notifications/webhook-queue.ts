/** The rows of `webhook_delivery`, claimed under a lease by one process at a time. */
import type pg from "pg";
import type { Attempt } from "../callbacks/send-callback";
import type { NotificationKind } from "../contract/states";
import { standingData } from "./standing";

export interface DueDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly accountId: string;
  readonly url: string;
  readonly sealed: Buffer;
  /** Null once it signs no more. */
  readonly oldSealed: Buffer | null;
  readonly attempts: number;
  readonly createdAt: Date;
  /** Null for a test. */
  readonly notificationId: string | null;
  readonly kind: NotificationKind | null;
  /** As it is now; null for a test, and where nothing of it is so any more. */
  readonly data: unknown;
}

/** Seconds until the next attempt: after the first, the second, … Then the delivery is given up. */
const retrySeconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800] as const;
const LEASE_SECONDS = 30;
/** An endpoint that accepted nothing for so long is paused. */
const FAILING_DAYS_MAX = 3;

/** An endpoint gets few at a time, and an account, so that those that hang do not take all places. */
const ENDPOINT_PLACES = 4;
const ACCOUNT_PLACES = 8;

const claim = `
  with running as (
    select b.endpoint_id, e.account_id from webhook_delivery b join webhook_endpoint e on e.id = b.endpoint_id
     where b.delivered_at is null and b.given_up_at is null and b.lease_until >= now()
  ), due as (
    select d.id, d.endpoint_id, e.account_id, row_number() over (partition by d.endpoint_id order by d.next_attempt_at, d.id) as n,
           row_number() over (partition by e.account_id order by d.next_attempt_at, d.id) as of_account
      from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
     where d.delivered_at is null and d.given_up_at is null and d.next_attempt_at <= now() and (d.lease_until is null or d.lease_until < now())
       and e.paused_at is null
  ), claimed as (
    update webhook_delivery d set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
     where d.id in (select w.id from webhook_delivery w
       where w.id in (select id from due
                       where n <= ${ENDPOINT_PLACES} - (select count(*) from running r where r.endpoint_id = due.endpoint_id)
                         and of_account <= ${ACCOUNT_PLACES} - (select count(*) from running r where r.account_id = due.account_id)
                       order by of_account limit $1)
         and w.delivered_at is null and w.given_up_at is null and (w.lease_until is null or w.lease_until < now()) for update skip locked)
    returning d.*
  )
  select c.id::text as id, e.id as "endpointId", e.account_id as "accountId", e.url, e.sealed,
         case when e.old_until > now() then e.old_sealed end as "oldSealed",
         c.attempts, coalesce(n.created_at, c.created_at) as "createdAt", n.id as "notificationId", n.kind, ${standingData("n")} as data
    from claimed c join webhook_endpoint e on e.id = c.endpoint_id left join notification n on n.id = c.notification_id`;

export async function claimWebhooks(pool: pg.Pool, count: number): Promise<DueDelivery[]> {
  const { rows } = await pool.query<DueDelivery>(claim, [count]);
  return rows;
}

/** Gives up a delivery that would say what is no longer so. */
export async function dropWebhook(pool: pg.Pool, id: string): Promise<void> {
  await pool.query(
    "update webhook_delivery set lease_until = null, given_up_at = now() where id = $1 and delivered_at is null",
    [id],
  );
}

const note = `
  with noted as (
    update webhook_delivery d set attempts = attempts + 1, last_answer = left($2, 200), lease_until = null,
           delivered_at = case when $3 then now() end,
           given_up_at = case when not $3 and $4::double precision is null then now() end,
           next_attempt_at = now() + make_interval(secs => coalesce($4::double precision, 0) * (0.8 + 0.4 * random()))
     where d.id = $1 and d.delivered_at is null and d.given_up_at is null returning d.endpoint_id
  )
  update webhook_endpoint e set failing_since = case when $3 then null else coalesce(e.failing_since, now()) end from noted n
   where e.id = n.endpoint_id and (not $3 or e.failing_since is not null)
  returning e.id, not $3 and e.paused_at is null and ($5 or e.failing_since < now() - make_interval(days => ${FAILING_DAYS_MAX})) as "mustPause"`;

/** Records an attempt. Returns whether the endpoint must be paused: it is gone, or failed for days. */
export async function noteWebhook(
  pool: pg.Pool,
  { id, attempts }: Pick<DueDelivery, "id" | "attempts">,
  { answer, isDelivered, isFinal }: Attempt,
): Promise<boolean> {
  const wait = isFinal ? null : (retrySeconds[attempts] ?? null);
  const { rows } = await pool.query<{ mustPause: boolean }>(note, [
    id,
    answer,
    isDelivered,
    wait,
    isFinal,
  ]);
  return rows[0]?.mustPause === true;
}

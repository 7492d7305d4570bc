/**
 * The rows of `callback_delivery`, claimed under a lease by one process at a time, in the order of
 * a task's states.
 */
import type pg from "pg";

export interface Delivery {
  readonly id: string;
  readonly taskId: string;
  readonly accountId: string;
  /** The key that ordered the task; null once it is revoked, and without one. */
  readonly apiKeyId: string | null;
  /** How often the account began anew; null where the secret that its keys shared signs no more. */
  readonly sharedRenewals: number | null;
  readonly url: string;
  /** The task's state that is delivered. */
  readonly status: string;
  /** Attempts made before this one. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Seconds until the next attempt: after the first, the second, … Then the delivery is given up. */
const retrySeconds = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800] as const;

const LEASE_SECONDS = 30;

/**
 * For how long after the upgrade the shared secret signs too: receivers that had it go on. It ends
 * at once when one of the keys that could read it is revoked.
 */
const SHARED_DAYS = 90;

const isShared = `a.shared_callbacks_since > now() - make_interval(days => ${SHARED_DAYS})
          and not exists (select from api_key e where e.account_id = a.id
            and e.created_at < a.shared_callbacks_since and e.revoked_at >= a.shared_callbacks_since)`;

/** An account has few under way at a time, so that receivers that hang do not take all places. */
const ACCOUNT_PLACES = 8;
/** Of those that wait longest. Accounts that have all their places are not among them. */
const LOOKED_AT = 256;

const isOpen = (row: string) => `${row}.delivered_at is null and ${row}.given_up_at is null`;
const isFree = (row: string) =>
  `${isOpen(row)} and (${row}.lease_until is null or ${row}.lease_until < now())`;

const due = `
    with running as (
      select r.account_id, count(*) as n from callback_delivery r where ${isOpen("r")} and r.lease_until >= now() group by 1
    ), due as (
      select f.id, f.next_attempt_at,
             coalesce(r.n, 0) + row_number() over (partition by f.account_id order by f.next_attempt_at, f.id) as place
        from (select c.id, c.account_id, c.next_attempt_at from callback_delivery c
               where ${isFree("c")} and c.next_attempt_at <= now()
                 and not exists (select from running b where b.account_id = c.account_id and b.n >= ${ACCOUNT_PLACES})
                 and not exists (select from callback_delivery e where e.task_id = c.task_id and e.id < c.id and e.attempts = 0 and e.given_up_at is null)
               order by c.next_attempt_at limit ${LOOKED_AT}) f left join running r using (account_id))`;

/**
 * Claims up to `count` deliveries that are due, of the accounts in turn. A later state of a task waits
 * only for the first attempt of each earlier one.
 */
export async function claimDeliveries(pool: pg.Pool, count: number): Promise<Delivery[]> {
  const { rows } = await pool.query<Delivery>(
    `${due}
     update callback_delivery d set lease_until = now() + make_interval(secs => $2)
      where d.id in (
        select w.id from callback_delivery w
         where w.id in (select id from due where place <= ${ACCOUNT_PLACES} order by place, next_attempt_at limit $1)
           and ${isFree("w")} for update skip locked)
      returning d.id::text as id, d.task_id as "taskId", d.account_id as "accountId",
        (select k.id from video_task t join api_key k on k.id = t.api_key_id where t.id = d.task_id and k.revoked_at is null) as "apiKeyId",
        (select a.renewals from account a where a.id = d.account_id and ${isShared}) as "sharedRenewals",
        d.url, d.status, d.attempts, d.created_at as "createdAt"`,
    [count, LEASE_SECONDS],
  );
  return rows;
}

/**
 * Records the result of an attempt: delivered, another attempt later, or given up. A delivery is
 * given up after the last attempt, with `isFinal`, and when the task has a later state to deliver.
 */
export async function noteAttempt(
  pool: pg.Pool,
  delivery: Delivery,
  answer: string,
  isDelivered: boolean,
  isFinal: boolean,
): Promise<void> {
  const wait = isFinal ? undefined : retrySeconds[delivery.attempts];
  await pool.query(
    `update callback_delivery d set attempts = attempts + 1, last_answer = left($2, 200), lease_until = null,
            delivered_at = case when $3 then now() end,
            given_up_at = case when not $3 and ($4::double precision is null
              or exists (select from callback_delivery l where l.task_id = d.task_id and l.id > d.id)) then now() end,
            next_attempt_at = now() + make_interval(secs => coalesce($4::double precision, 0) * (0.8 + 0.4 * random()))
      where id = $1 and delivered_at is null and given_up_at is null`,
    [delivery.id, answer, isDelivered, wait ?? null],
  );
}

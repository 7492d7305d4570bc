/**
 * The rows of `callback_delivery`, claimed under a lease by one process at a time, in the order of
 * a task's states.
 */
import type pg from "pg";

export interface Delivery {
  readonly id: string;
  readonly taskId: string;
  readonly accountId: string;
  /** How often the account began anew. */
  readonly renewals: number;
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
 * Claims up to `count` deliveries that are due. A later state of a task waits only for the first
 * attempt of each earlier one.
 */
export async function claimDeliveries(pool: pg.Pool, count: number): Promise<Delivery[]> {
  const { rows } = await pool.query<Delivery>(
    `update callback_delivery d set lease_until = now() + make_interval(secs => $2)
      where d.id in (
        select c.id from callback_delivery c
         where c.delivered_at is null and c.given_up_at is null and c.next_attempt_at <= now() and (c.lease_until is null or c.lease_until < now())
           and not exists (select from callback_delivery e where e.task_id = c.task_id and e.id < c.id and e.attempts = 0 and e.given_up_at is null)
         order by c.next_attempt_at limit $1 for update skip locked)
      returning d.id::text as id, d.task_id as "taskId", d.account_id as "accountId",
        (select a.renewals from account a where a.id = d.account_id) as renewals, d.url, d.status, d.attempts, d.created_at as "createdAt"`,
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

/** The leases of tasks: which process works on a task, and when its next poll is due. */
import { type AnyTaskRow, type TaskQuery, taskColumns } from "./task-row";

export interface Delay {
  readonly id: string;
  readonly failures: number;
  readonly seconds: number;
}

const LEASE_SECONDS = 30;
/** So many open tasks are worth a look without knowing when the next one is due. */
const MANY = 100;

const claimSql = `update video_task t set lease_owner = $1, lease_until = now() + make_interval(secs => $2), polls = polls + 1,
                next_poll_at = now() + make_interval(secs => $3 * (0.85 + 0.3 * random()))
          where t.id in (select id from video_task
                          where status in ('queued', 'running') and next_poll_at <= now() and id <> all($4)
                            and (lease_until is null or lease_until < now() or (lease_owner = $1 and submit_state = 'accepted'))
                          order by next_poll_at limit $5 for update skip locked)
          returning ${taskColumns}`;

const leaveSql = `with left_over as (
    update video_task set lease_until = null
     where lease_owner = $1 and lease_until is not null and id <> all($2) returning id, status)
  select pg_notify('relay_change', 'video_task:' || id) from left_over
   where status in ('queued', 'running') limit 1`;

/** When its lease ends, or now where it is this process's own. */
const claimable = `greatest(next_poll_at,
  case when lease_owner = $1 and submit_state = 'accepted' then null else lease_until end)`;
const dueSql = `select case when count(*) = ${MANY} then 0
         else extract(epoch from min(${claimable}) - now())::float8 end as seconds
    from (select next_poll_at, lease_owner, submit_state, lease_until from video_task
           where status in ('queued', 'running') order by next_poll_at limit ${MANY}) t`;

const delaySql = `update video_task t set next_poll_at = now() + make_interval(secs => d.seconds), poll_failures = d.failures,
                lease_until = case when t.submit_state = 'accepted' then t.lease_until end
           from json_to_recordset($1) as d(id text, failures integer, seconds float8) where t.id = d.id and t.lease_owner = $2`;

export function taskLeases(query: TaskQuery, owner: string) {
  return {
    /**
     * Claims the tasks that are due, and those that other processes left. Each is due again after
     * about `intervalSeconds`. A task that is being submitted is not claimed while its lease lasts,
     * not even by its own process: `busy` may have been read before the task was opened.
     */
    async claim(
      limit: number,
      busy: readonly string[],
      intervalSeconds: number,
    ): Promise<AnyTaskRow[]> {
      const { rows } = await query<AnyTaskRow>(claimSql, [
        owner,
        LEASE_SECONDS,
        intervalSeconds,
        busy,
        limit,
      ]);
      return rows;
    },
    /** Renews the leases of tasks that take longer than one lease. */
    async renew(ids: readonly string[]): Promise<void> {
      await query(
        "update video_task set lease_until = greatest(lease_until, now() + make_interval(secs => $2)) where lease_owner = $1 and id = any($3)",
        [owner, LEASE_SECONDS, ids],
      );
    },
    /** Lets other processes take over all tasks except those in `busy`, and tells them. */
    async leave(busy: readonly string[]): Promise<void> {
      await query(leaveSql, [owner, busy]);
    },
    /**
     * In how many seconds this process may claim the next task: 0 where many are open, infinite where
     * none is.
     */
    async secondsUntilDue(): Promise<number> {
      const { rows } = await query<{ seconds: number | null }>(dueSql, [owner]);
      return rows[0]?.seconds ?? Number.POSITIVE_INFINITY;
    },
    /** Makes these open tasks due within `seconds`, also those whose polls failed before. */
    async hurry(ids: readonly string[], seconds: number): Promise<void> {
      await query(
        `update video_task set next_poll_at = now() + make_interval(secs => $2)
          where id = any($1) and status in ('queued', 'running') and next_poll_at > now() + make_interval(secs => $2)`,
        [ids, seconds],
      );
    },
    /**
     * Postpones the next poll of tasks that could not be polled; `failures` counts the failures in
     * a row.
     */
    async delay(delays: readonly Delay[]): Promise<void> {
      await query(delaySql, [JSON.stringify(delays), owner]);
    },
    /**
     * Takes a task that no process submits; false when another process does. A task that this
     * process submits is in `busy`.
     */
    async takeUnsubmitted(id: string): Promise<boolean> {
      const { rowCount } = await query(
        `update video_task set lease_owner = $2, lease_until = now() + make_interval(secs => $3)
          where id = $1 and status = 'queued' and submit_state = 'none' and (lease_owner = $2 or lease_until is null or lease_until < now())`,
        [id, owner, LEASE_SECONDS],
      );
      return (rowCount ?? 0) > 0;
    },
  };
}

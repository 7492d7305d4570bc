import type { Reader } from "../db/pool";

/** A task as it is stored, for the command line. */
interface StoredTask {
  /** The charge in micropoints; null before it, and when the request is archived. */
  readonly amount: string | null;
  /** Micropoints; null when the request is archived. */
  readonly hold_amount: string | null;
  readonly [column: string]: unknown;
}

/** One task with everything that is stored of it; null when there is none. */
export async function findTaskRow(pool: Reader, id: string): Promise<StoredTask | null> {
  const { rows } = await pool.query<StoredTask>(
    `select t.id, t.status, t.model, t.account_id as account, coalesce(c.name, t.channel_id) as channel, t.upstream_ref,
            t.polls, t.poll_failures, t.error_code, r.amount, r.id is null as archived, t.created_at, t.updated_at,
            t.operation_id, t.submit_state, t.spec, t.media_id, t.result_expires_at, t.lease_owner, t.lease_until,
            t.next_poll_at, t.hidden_at, r.hold_amount,
            (select coalesce(json_agg(l.cause), '[]') from operator_loss l where l.operation_id = t.operation_id) as losses
       from video_task t left join request_known r on r.id = t.operation_id left join channel c on c.id = t.channel_id
      where t.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

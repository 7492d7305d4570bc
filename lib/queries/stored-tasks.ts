import type { Reader } from "../db/pool";
/** Video tasks of all accounts, as the command line shows them. */

export interface TaskRow {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly account: string;
  readonly channel: string | null;
  readonly upstream_ref: string | null;
  readonly polls: number;
  readonly poll_failures: number;
  readonly error_code: string | null;
  /** The charge in micropoints; null before it, and when the request is archived. */
  readonly amount: string | null;
  /** Whether its request is only in an archived file. */
  readonly archived: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WholeTaskRow extends TaskRow {
  /** Micropoints; null when the request is archived. */
  readonly hold_amount: string | null;
  readonly [column: string]: unknown;
}

const columns = `t.id, t.status, t.model, t.account_id as account, coalesce(c.name, t.channel_id) as channel, t.upstream_ref,
  t.polls, t.poll_failures, t.error_code, r.amount, r.id is null as archived, t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const source = `video_task t left join request_known r on r.id = t.operation_id left join channel c on c.id = t.channel_id`;

/** The newest tasks first; null matches any account, and any state. */
export async function newestTasks(
  pool: Reader,
  { accountId, status, limit }: { accountId: string | null; status: string | null; limit: number },
): Promise<TaskRow[]> {
  const { rows } = await pool.query<TaskRow>(
    `select ${columns} from ${source}
      where ($1::text is null or t.account_id = $1) and ($2::text is null or t.status = $2)
      order by t.created_at desc, t.id desc limit $3`,
    [accountId, status, limit],
  );
  return rows;
}

/** One task with everything that is stored of it; null when there is none. */
export async function findTaskRow(pool: Reader, id: string): Promise<WholeTaskRow | null> {
  const { rows } = await pool.query<WholeTaskRow>(
    `select ${columns}, t.operation_id, t.submit_state, t.spec, t.media_id, t.result_expires_at, t.lease_owner, t.lease_until,
            t.next_poll_at, t.hidden_at, r.hold_amount,
            (select coalesce(json_agg(l.cause), '[]') from operator_loss l where l.operation_id = t.operation_id) as losses
       from ${source} where t.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

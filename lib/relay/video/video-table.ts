/** The rows of video tasks, but for their opening and their end, which are the ledger's. All clocks are the database's. */
import type pg from "pg";
import type { TaskStatus } from "../../contract/states";
import { isStatementRefused } from "../../db/database-errors";
import { RelayError } from "../../errors";
import { withoutSettings } from "../../results/kept-settings";
import type { VideoFacts, VideoSpec } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";

/** A task as its owner may see it. */
export interface TaskRow {
  readonly id: string;
  readonly operationId: string;
  readonly accountId: string;
  readonly model: string;
  readonly modelNamed: string;
  readonly spec: VideoSpec;
  readonly status: TaskStatus;
  readonly submitState: "none" | "intent" | "accepted";
  readonly channelId: string | null;
  readonly channelProtocol: Channel["protocol"] | null;
  readonly channelBaseUrl: string | null;
  readonly upstreamRef: string | null;
  readonly pollFailures: number;
  readonly mediaId: string | null;
  readonly resultExpiresAt: Date | null;
  readonly isResultExpired: boolean;
  readonly errorCode: string | null;
  readonly outputTokens: number | null;
  readonly facts: VideoFacts | null;
  readonly callbackUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly hiddenAt: Date | null;
  readonly ageSeconds: number;
}

/** A task from the moment it is opened: what sending and ending it need. A row of the table is one, too. */
export type VideoTask = Pick<TaskRow, "id" | "operationId" | "accountId" | "model" | "spec" | "channelId" | "upstreamRef" | "createdAt">;

const columns = `t.id, t.operation_id as "operationId", t.account_id as "accountId", t.model, t.model_named as "modelNamed", t.spec, t.status,
  t.submit_state as "submitState", t.channel_id as "channelId", t.channel_protocol as "channelProtocol", t.channel_base_url as "channelBaseUrl",
  t.upstream_ref as "upstreamRef", t.poll_failures as "pollFailures", t.media_id as "mediaId", t.result_expires_at as "resultExpiresAt",
  coalesce(t.result_expires_at <= now(), false) as "isResultExpired", t.error_code as "errorCode", t.output_tokens::float8 as "outputTokens", t.facts,
  t.callback_url as "callbackUrl", t.created_at as "createdAt", t.updated_at as "updatedAt", t.hidden_at as "hiddenAt",
  extract(epoch from now() - t.created_at)::float8 as "ageSeconds"`;

export interface TaskFilter {
  readonly page: number;
  readonly pageSize: number;
  readonly status: string | null;
  readonly ids: readonly string[];
  readonly model: string | null;
}

/** What decides a task's price: both are kept from when it was ordered. */
export interface TaskPrice {
  readonly outputPrice: bigint;
  readonly inputPrice: bigint;
  readonly multiplierPpm: number;
  readonly holdAmount: bigint;
}

export interface Delay {
  readonly id: string;
  readonly failures: number;
  readonly seconds: number;
}

/** Tasks older than this are found by their id, not in the list. */
const LIST_DAYS = 7;
const LEASE_SECONDS = 30;
/** Longer than a submit may take: whoever takes over a task in between has to give it up. */
const SUBMIT_LEASE_SECONDS = 120;

type Query = <T extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<pg.QueryResult<T>>;

function queryOf(pool: pg.Pool): Query {
  return async (text, values) => {
    try {
      return await pool.query(text, values);
    } catch (error) {
      if (isStatementRefused(error)) throw error;
      throw new RelayError("database_unavailable", { cause: error, retryAfterSeconds: 2 });
    }
  };
}

function work(query: Query, owner: string) {
  const changed = async (text: string, values: unknown[]) => ((await query(text, values)).rowCount ?? 0) > 0;
  return {
    /**
     * Takes what is due and what other processes left; each is due again after about `intervalSeconds`. A task on its way upstream is left
     * alone while its lease lasts, by its own process too: `busy` may be older than the task.
     */
    async claim(limit: number, busy: readonly string[], intervalSeconds: number): Promise<TaskRow[]> {
      const { rows } = await query<TaskRow>(
        `update video_task t set lease_owner = $1, lease_until = now() + make_interval(secs => $2), polls = polls + 1,
                next_poll_at = now() + make_interval(secs => $3 * (0.85 + 0.3 * random()))
          where t.id in (select id from video_task
                          where status in ('queued', 'running') and next_poll_at <= now() and id <> all($4)
                            and (lease_until is null or lease_until < now() or (lease_owner = $1 and submit_state = 'accepted'))
                          order by next_poll_at limit $5 for update skip locked)
          returning ${columns}`,
        [owner, LEASE_SECONDS, intervalSeconds, busy, limit],
      );
      return rows;
    },
    /** Keeps the tasks that are worked on longer than a lease. */
    async renew(ids: readonly string[]): Promise<void> {
      await query(
        "update video_task set lease_until = greatest(lease_until, now() + make_interval(secs => $2)) where lease_owner = $1 and id = any($3)",
        [owner, LEASE_SECONDS, ids],
      );
    },
    /** Lets other processes take over at once, but for what is worked on still. */
    async leave(busy: readonly string[]): Promise<void> {
      await query("update video_task set lease_until = null where lease_owner = $1 and lease_until is not null and id <> all($2)", [
        owner,
        busy,
      ]);
    },
    /** Asks for these open tasks within `seconds`, also where their upstream failed before. */
    async hurry(ids: readonly string[], seconds: number): Promise<void> {
      await query(
        `update video_task set next_poll_at = now() + make_interval(secs => $2)
          where id = any($1) and status in ('queued', 'running') and next_poll_at > now() + make_interval(secs => $2)`,
        [ids, seconds],
      );
    },
    /** Asks later again for what could not be asked now; `failures` in a row. */
    async delay(delays: readonly Delay[]): Promise<void> {
      await query(
        `update video_task t set next_poll_at = now() + make_interval(secs => d.seconds), poll_failures = d.failures,
                lease_until = case when t.submit_state = 'accepted' then t.lease_until end
           from json_to_recordset($1) as d(id text, failures integer, seconds float8) where t.id = d.id and t.lease_owner = $2`,
        [JSON.stringify(delays), owner],
      );
    },
    /**
     * Written before the bytes leave, `after` an attempt that surely cost nothing; false when the task is not this process's to submit, or
     * somebody did, or when a retry has taken over the request whose key is `claim`.
     */
    async noteIntent(
      id: string,
      channel: Channel,
      isSettled: boolean,
      after: Channel | null,
      claim: string | null = null,
    ): Promise<boolean> {
      return changed(
        `update video_task set submit_state = 'intent', submits = submits + 1, lease_until = now() + make_interval(secs => ${SUBMIT_LEASE_SECONDS}), channel_id = $3, channel_protocol = $4, channel_base_url = $5
          where id = $1 and lease_owner = $2 and status = 'queued'
            and case when $6::text is null then submit_state = 'none' else submit_state = 'intent' and channel_id = $6 end
            and ($7::text is null or exists (select from idempotent_request r where r.account_id = video_task.account_id and r.key = $7
                                                and r.operation_id = video_task.operation_id))`,
        [id, owner, channel.id, isSettled ? channel.protocol : null, isSettled ? channel.baseUrl : null, after?.id ?? null, claim],
      );
    },
    /** Any process may ask for it from now on, unless its channel is this process's own. False when the task had ended meanwhile. */
    async noteAccepted(id: string, upstreamRef: string, firstPollSeconds: number): Promise<boolean> {
      return changed(
        `update video_task set submit_state = 'accepted', upstream_ref = $2, next_poll_at = now() + make_interval(secs => $3),
                lease_until = case when channel_base_url is null then lease_until end,
                image_urls = '[]' where id = $1 and status = 'queued' and submit_state = 'intent'`,
        [id, upstreamRef, firstPollSeconds],
      );
    },
    async noteRunning(id: string): Promise<void> {
      await query("update video_task set status = 'running', updated_at = now() where id = $1 and status = 'queued'", [id]);
    },
    /** Takes a task that nobody submits; false when another process does. One that this process submits is in `busy`. */
    async takeUnsubmitted(id: string): Promise<boolean> {
      return changed(
        `update video_task set lease_owner = $2, lease_until = now() + make_interval(secs => $3)
          where id = $1 and status = 'queued' and submit_state = 'none' and (lease_owner = $2 or lease_until is null or lease_until < now())`,
        [id, owner, LEASE_SECONDS],
      );
    },
  };
}

function reads(query: Query) {
  return {
    async priceOf(operationId: string): Promise<TaskPrice> {
      const { rows } = await query<{ input: string; output: string; ppm: number; hold: string }>(
        `select p.input_price as input, p.output_price as output, o.multiplier_ppm as ppm, o.hold_amount as hold
           from operation o join price_version p on p.id = o.price_version_id where o.id = $1`,
        [operationId],
      );
      const row = rows[0];
      if (!row) throw new RelayError("internal_error", { internal: `no operation ${operationId}` });
      return { inputPrice: BigInt(row.input), outputPrice: BigInt(row.output), multiplierPpm: row.ppm, holdAmount: BigInt(row.hold) };
    },
    /** The account's task, also when it was hidden; another's is as absent as none. */
    async find(accountId: string, id: string): Promise<TaskRow | undefined> {
      const { rows } = await query<TaskRow>(`select ${columns} from video_task t where t.id = $1 and t.account_id = $2`, [id, accountId]);
      return rows[0];
    },
    async findByOperation(accountId: string, operationId: string): Promise<TaskRow | undefined> {
      const text = `select ${columns} from video_task t where t.operation_id = $1 and t.account_id = $2`;
      return (await query<TaskRow>(text, [operationId, accountId])).rows[0];
    },
    async statusesOf(ids: readonly string[]): Promise<{ id: string; status: TaskStatus }[]> {
      const { rows } = await query<{ id: string; status: TaskStatus }>("select id, status from video_task where id = any($1)", [ids]);
      return rows;
    },
    async list(accountId: string, filter: TaskFilter): Promise<{ tasks: TaskRow[]; total: number }> {
      const where = `t.account_id = $1 and t.hidden_at is null and t.created_at > now() - make_interval(days => ${LIST_DAYS})
        and ($2::text is null or t.status = $2) and (cardinality($3::text[]) = 0 or t.id = any($3)) and ($4::text is null or t.model = $4)`;
      const values = [accountId, filter.status, filter.ids, filter.model];
      const counted = await query<{ total: number }>(`select count(*)::integer as total from video_task t where ${where}`, values);
      const { rows } = await query<TaskRow>(
        `select ${columns} from video_task t where ${where} order by t.created_at desc, t.id desc limit $5 offset $6`,
        [...values, filter.pageSize, (filter.page - 1) * filter.pageSize],
      );
      return { tasks: rows, total: counted.rows[0]?.total ?? 0 };
    },
    async hide(accountId: string, id: string): Promise<void> {
      await query(`update video_task set hidden_at = now(), ${withoutSettings} where id = $1 and account_id = $2 and hidden_at is null`, [
        id,
        accountId,
      ]);
    },
    /** The points a settled task was charged. */
    async charged(operationId: string): Promise<bigint> {
      const { rows } = await query<{ amount: string }>("select amount from settlement where operation_id = $1", [operationId]);
      return BigInt(rows[0]?.amount ?? 0);
    },
  };
}

export type TaskTable = ReturnType<typeof createTaskTable>;

/** `owner` names this process. Every call rejects with `database_unavailable` when the database gives no answer. */
export function createTaskTable(pool: pg.Pool, owner: string) {
  const query = queryOf(pool);
  return { owner, ...work(query, owner), ...reads(query) };
}

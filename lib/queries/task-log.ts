/**
 * The videos and images of an account, for its pages: as a paged list, and one in detail.
 * Read-only.
 */

import { type ResultFamily, resultFamilies, type TaskStatus } from "../contract/states";
import type { Reader } from "../db/pool";
import { RelayError } from "../errors";
import type { StoredImage } from "../results/kept-settings";
import type { VideoFacts } from "../upstream/media-provider";
import { type HistoryLine, type RequestRow, requestColumns, requestLine } from "./history";

export interface TaskFilter {
  readonly state?: "open" | "succeeded" | "failed" | undefined;
  readonly family?: ResultFamily | undefined;
  /** Catalogue identifier. */
  readonly model?: string | undefined;
  /** An API key's id, or `none` for orders from the pages. */
  readonly key?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The stored parameters of an order; prompt and images are absent once they were removed. */
interface KeptSpec {
  readonly prompt?: string;
  readonly resolution?: string;
  readonly ratio?: string | null;
  readonly durationSeconds?: number;
  readonly generateAudio?: boolean;
  readonly width?: number;
  readonly height?: number;
  readonly quality?: string;
  readonly seed?: number | null;
  readonly pictures?: readonly StoredImage[];
}

interface TaskMedia {
  readonly id: string;
  readonly extension: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly bytes: number | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
}

export interface TaskLine {
  readonly id: string;
  readonly family: ResultFamily;
  readonly status: TaskStatus;
  readonly errorCode: string | null;
  readonly spec: KeptSpec;
  readonly facts: VideoFacts | null;
  readonly media: TaskMedia | null;
  readonly line: HistoryLine;
}

interface Row extends RequestRow {
  task_id: string;
  status: TaskLine["status"];
  error_code: string | null;
  spec: KeptSpec;
  facts: VideoFacts | null;
  media_id: string | null;
  extension: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  result_expires_at: Date | null;
  is_expired: boolean;
}

const money = requestColumns("t.created_at");
const result = `t.media_id, m.extension, m.width, m.height, m.bytes::float8 as bytes, t.result_expires_at,
  t.result_expires_at <= now() or m.deleted_at is not null as is_expired`;
const joined = `join operation o on o.id = t.operation_id left join settlement s on s.operation_id = t.operation_id
  left join api_key k on k.id = o.api_key_id left join media m on m.id = t.media_id`;

const families = {
  video: {
    select: `select t.id as task_id, t.status, t.error_code, t.spec, t.facts, ${money}, ${result} from video_task t ${joined}`,
    states: {
      open: "t.status in ('queued', 'running')",
      succeeded: "t.status = 'succeeded'",
      failed: "t.status in ('failed', 'cancelled', 'expired')",
    },
  },
  image: {
    select: `select t.id as task_id, case s.outcome when 'settled' then 'succeeded' when 'released' then 'failed' else 'running' end as status,
                    case when s.outcome = 'released' then s.reason end as error_code, t.spec, null::jsonb as facts, ${money}, ${result} from image_result t ${joined}`,
    states: {
      open: "s.outcome is null",
      succeeded: "s.outcome = 'settled'",
      failed: "s.outcome = 'released'",
    },
  },
};

function lineOf(row: Row): TaskLine {
  const { media_id, extension, result_expires_at: expiresAt } = row;
  const { width, height, bytes, is_expired: isExpired } = row;
  return {
    id: row.task_id,
    family: row.family === "video" ? "video" : "image",
    status: row.status,
    errorCode: row.error_code,
    spec: row.spec,
    facts: row.facts,
    // The file exists before the charge does; it is shown only after the charge.
    media:
      row.status !== "succeeded" || media_id === null || expiresAt === null
        ? null
        : {
            id: media_id,
            extension: extension ?? "mp4",
            width,
            height,
            bytes,
            expiresAt,
            isExpired,
          },
    line: requestLine(row),
  };
}

type Place = readonly [at: string, id: string];

function readPlace(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [, at, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)~([\w-]{1,60})$/.exec(
      Buffer.from(cursor, "base64url").toString(),
    ) ?? [];
  if (at !== undefined && id !== undefined) return [at, id];
  throw new RelayError("invalid_value", {
    param: "cursor",
    message: "The cursor is invalid. Send one from a previous answer.",
  });
}

export interface TaskPage {
  readonly tasks: TaskLine[];
  readonly nextCursor: string | null;
}

/**
 * A page of the account's tasks by the time of their order, newest first. Throws `invalid_value`
 * for a cursor that is not ours.
 */
export async function taskPage(
  pool: Reader,
  accountId: string,
  filter: TaskFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<TaskPage> {
  const place = readPlace(cursor);
  const values: unknown[] = [accountId, limit + 1];
  const parts = ["t.account_id = $1", "t.hidden_at is null"];
  if (filter.model !== undefined) parts.push(`t.model = $${values.push(filter.model)}`);
  if (filter.key === "none") parts.push("o.api_key_id is null");
  else if (filter.key !== undefined) parts.push(`o.api_key_id = $${values.push(filter.key)}`);
  if (filter.ids !== undefined) parts.push(`t.id = any($${values.push(filter.ids)})`);
  if (place)
    parts.push(
      `(t.created_at, t.id) < ($${values.push(place[0])}::timestamptz, $${values.push(place[1])})`,
    );
  const asked = resultFamilies.filter(
    (family) => filter.family === undefined || filter.family === family,
  );
  const branches = asked.map((family) => {
    const { select, states } = families[family];
    const where = [...parts, ...(filter.state ? [states[filter.state]] : [])].join(" and ");
    return `(${select} where ${where} order by t.created_at desc, t.id desc limit $2)`;
  });
  const { rows } = await pool.query<Row>(
    `select * from (${branches.join(" union all ")}) listed order by created_at desc, task_id desc limit $2`,
    values,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next =
    rows.length > limit && last
      ? Buffer.from(`${last.exact}~${last.task_id}`).toString("base64url")
      : null;
  return { tasks: page.map(lineOf), nextCursor: next };
}

interface TaskTimes {
  readonly submitted: Date | null;
  readonly running: Date | null;
  readonly stored: Date | null;
}

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly lastAnswer: string | null;
  readonly deliveredAt: Date | null;
  readonly givenUpAt: Date | null;
  readonly nextAttemptAt: Date | null;
}

export interface TaskDetail {
  readonly task: TaskLine;
  readonly times: TaskTimes;
  readonly callback: { readonly url: string; readonly deliveries: Delivery[] } | null;
}

const deliveriesQuery = `select status, attempts, case when last_answer !~ '^[0-9]{3}$' then 'no answer' else last_answer end as "lastAnswer", delivered_at as "deliveredAt", given_up_at as "givenUpAt",
    case when delivered_at is null and given_up_at is null then next_attempt_at end as "nextAttemptAt"
  from callback_delivery where task_id = $1 order by id`;

/**
 * The account's task with an operation's id; null when there is none, it was removed from the list,
 * or it is another account's.
 */
export async function taskDetail(
  pool: Reader,
  accountId: string,
  operationId: string,
): Promise<TaskDetail | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(operationId)) return null;
  const where = "where t.operation_id = $1 and t.account_id = $2 and t.hidden_at is null";
  const { rows } = await pool.query<Row>(
    resultFamilies.map((family) => `(${families[family].select} ${where})`).join(" union all "),
    [operationId, accountId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const more = await pool.query<TaskTimes & { callback: string | null }>(
    `select t.submitted_at as submitted, t.running_at as running, m.stored_at as stored, t.callback_url as callback
       from video_task t left join media m on m.id = t.media_id where t.operation_id = $1
     union all
     select o.created_at, o.created_at, m.stored_at, null
       from image_result t join operation o on o.id = t.operation_id left join media m on m.id = t.media_id where t.operation_id = $1`,
    [operationId],
  );
  const { submitted = null, running = null, stored = null, callback = null } = more.rows[0] ?? {};
  const deliveries =
    callback === null ? [] : (await pool.query<Delivery>(deliveriesQuery, [row.task_id])).rows;
  return {
    task: lineOf(row),
    times: { submitted, running, stored },
    callback: callback === null ? null : { url: callback, deliveries },
  };
}

const LATEST = 50;

/**
 * The median duration in seconds of each model's latest results; a model without results is absent.
 */
export async function typicalSeconds(
  pool: Reader,
  models: readonly string[],
): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ model: string; seconds: number }>(
    `select a.model, percentile_cont(0.5) within group (order by l.seconds)::float8 as seconds from unnest($1::text[]) as a(model), lateral (
       (select extract(epoch from t.ended_at - t.created_at) as seconds from video_task t
         where t.model = a.model and t.status = 'succeeded' order by t.ended_at desc limit ${LATEST})
       union all
       (select extract(epoch from s.created_at - t.created_at) from image_result t join settlement s on s.operation_id = t.operation_id and s.outcome = 'settled'
         where t.model = a.model and t.media_id is not null order by t.created_at desc limit ${LATEST})) l
     group by a.model`,
    [models],
  );
  return Object.fromEntries(
    rows.map(({ model, seconds }) => [model, Math.max(1, Math.round(seconds))]),
  );
}

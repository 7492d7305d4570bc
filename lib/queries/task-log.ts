/**
 * The videos and images of an account, for its pages: as a paged list, and one in detail.
 * Read-only.
 */

import type { z } from "zod";
import { type ResultFamily, resultFamilies, type TaskStatus } from "../contract/states";
import type { TaskDetailView, tasksQuery } from "../contract/tasks";
import type { VideoSettings } from "../contract/video-settings";
import { type OrderReader, readerValues } from "../db/order-readers";
import type { Reader } from "../db/pool";
import { invalidValue } from "../failures/relay-error";
import type { StoredImage } from "../results/kept-settings";
import type { OrderedItem } from "../results/ordered-images";
import type { ImageSettings, VideoFacts } from "../upstream/media-provider";
import { type HistoryLine, type RequestRow, requestLine } from "./history";
import type { SettingsRow } from "./result-settings";
import type { Stored } from "./stored";
import { families } from "./task-columns";

type TaskFilter = Omit<z.output<typeof tasksQuery>, "limit" | "cursor"> & {
  /** Who reads; null for whoever may read every result of the account. */
  readonly reader: OrderReader | null;
};

/** The stored parameters of an order; prompt and images are absent once they were removed. */
interface KeptSpec extends SettingsRow {
  readonly prompt?: string;
  readonly quality?: string;
  readonly seed?: number | null;
  readonly pictures?: readonly StoredImage[];
  readonly watermark?: boolean;
  readonly cameraFixed?: boolean | null;
  readonly isAutoLength?: boolean;
  readonly draftTask?: string;
  readonly sizeName?: string;
  readonly count?: number;
  readonly settings?: VideoSettings & ImageSettings;
}

/** What the upstream said of a video, and the file of its last frame. */
type TaskFacts = VideoFacts & { readonly lastFrame?: string };

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
  readonly operationId: string;
  readonly family: ResultFamily;
  readonly model: string;
  readonly at: Date;
  readonly status: TaskStatus;
  readonly errorCode: string | null;
  readonly spec: KeptSpec;
  readonly facts: TaskFacts | null;
  /** The images of an order of several; null for one. */
  readonly items: readonly OrderedItem[] | null;
  readonly media: TaskMedia | null;
  /** Null when its request is only in an archived file. */
  readonly line: HistoryLine | null;
}

interface ResultRow {
  task_id: string;
  operation_id: string;
  task_family: ResultFamily;
  task_model: string;
  created_at: Date;
  exact: string;
  status: TaskLine["status"];
  error_code: string | null;
  spec: KeptSpec;
  facts: TaskFacts | null;
  items: readonly OrderedItem[] | null;
  media_id: string | null;
  extension: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
  result_expires_at: Date | null;
  is_expired: boolean;
}

type Row = ResultRow & (({ is_archived: false } & RequestRow) | { is_archived: true });

function lineOf(row: Row): TaskLine {
  const { media_id, extension, result_expires_at: expiresAt } = row;
  const { width, height, bytes, is_expired: isExpired } = row;
  return {
    id: row.task_id,
    operationId: row.operation_id,
    family: row.task_family,
    model: row.task_model,
    at: row.created_at,
    status: row.status,
    errorCode: row.error_code,
    spec: row.spec,
    facts: row.facts,
    items: row.items,
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
    line: row.is_archived ? null : requestLine(row),
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
  throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
}

export interface TaskPage {
  readonly tasks: TaskLine[];
  /** The months whose images are left out, because it is not known with which key they were made. */
  readonly archived: string[];
  readonly nextCursor: string | null;
}

/** The dropped months in which the account made images, the first one first. */
async function monthsWithImages(pool: Reader, accountId: string): Promise<string[]> {
  const { rows } = await pool.query<{ month: string }>(
    `select to_char(month, 'YYYY-MM') as month from ledger_archive_drop d
      where exists (select from image_result t where t.account_id = $1 and t.hidden_at is null
                       and t.created_at >= d.month::timestamp at time zone 'UTC' and t.created_at < (d.month + interval '1 month') at time zone 'UTC')
      order by month`,
    [accountId],
  );
  return rows.map(({ month }) => month);
}

/** The condition for one kind of results; `parts` are those of both, and `key` is a parameter. */
function conditionOf(
  family: ResultFamily,
  { key, state }: TaskFilter,
  parts: readonly string[],
  place: number,
): string {
  const { key: column, isKeyless, states } = families[family];
  const ofKey = key === undefined ? [] : [key === "none" ? isKeyless : `${column} = $${place}`];
  return [...parts, ...ofKey, ...(state ? [states[state]] : [])].join(" and ");
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
  if (filter.ids !== undefined) parts.push(`t.id = any($${values.push(filter.ids)})`);
  if (place)
    parts.push(
      `(t.created_at, t.id) < ($${values.push(place[0])}::timestamptz, $${values.push(place[1])})`,
    );
  const key = filter.key === undefined || filter.key === "none" ? 0 : values.push(filter.key);
  const { reader } = filter;
  const at = values.length + 1;
  if (reader !== null) values.push(...readerValues(reader));
  const asked = resultFamilies.filter(
    (family) => filter.family === undefined || filter.family === family,
  );
  const branches = asked.map((family) => {
    const own = reader === null ? [] : [families[family].readable(at)];
    const where = conditionOf(family, filter, [...parts, ...own], key);
    return `(${families[family].select} where ${where} order by t.created_at desc, t.id desc limit $2)`;
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
  const isComplete = filter.key === undefined || filter.family === "video";
  const archived = isComplete ? [] : await monthsWithImages(pool, accountId);
  return { tasks: page.map(lineOf), nextCursor: next, archived };
}

type TimesView = TaskDetailView["times"];
type TaskTimes = Omit<Stored<TimesView, never, keyof TimesView>, "queued">;

type DeliveryView = NonNullable<TaskDetailView["callback"]>["deliveries"][number];
type Delivery = Stored<DeliveryView, never, "deliveredAt" | "givenUpAt" | "nextAttemptAt">;

export interface TaskDetail {
  readonly task: TaskLine;
  readonly times: TaskTimes;
  readonly callback: { readonly url: string; readonly deliveries: Delivery[] } | null;
}

const deliveriesQuery = `select status, attempts, case when last_answer !~ '^([0-9]{3}|key revoked)$' then 'no answer' else last_answer end as "lastAnswer", delivered_at as "deliveredAt", given_up_at as "givenUpAt",
    case when delivered_at is null and given_up_at is null then next_attempt_at end as "nextAttemptAt"
  from callback_delivery where task_id = $1 order by id`;

/**
 * The account's task with an operation's id; null when there is none, it was removed from the list,
 * it is another account's, or the reader may not read it.
 */
export async function taskDetail(
  pool: Reader,
  { accountId, reader }: { accountId: string; reader: OrderReader | null },
  operationId: string,
): Promise<TaskDetail | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(operationId)) return null;
  const where = "where t.operation_id = $1 and t.account_id = $2 and t.hidden_at is null";
  const own = (family: ResultFamily) =>
    reader === null ? "" : `and ${families[family].readable(3)}`;
  const { rows } = await pool.query<Row>(
    resultFamilies
      .map((family) => `(${families[family].select} ${where} ${own(family)})`)
      .join(" union all "),
    [operationId, accountId, ...(reader === null ? [] : readerValues(reader))],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const more = await pool.query<TaskTimes & { callback: string | null }>(
    `select t.submitted_at as submitted, t.running_at as running, m.stored_at as stored, t.ended_at as ended, t.callback_url as callback
       from video_task t left join media m on m.id = t.media_id where t.operation_id = $1
     union all
     select t.created_at, t.created_at, m.stored_at, null, null
       from image_result t left join media m on m.id = t.media_id where t.operation_id = $1`,
    [operationId],
  );
  const { submitted = null, running = null, stored = null, callback = null } = more.rows[0] ?? {};
  const task = lineOf(row);
  const ended = task.line?.request?.endedAt ?? more.rows[0]?.ended ?? null;
  const deliveries =
    callback === null ? [] : (await pool.query<Delivery>(deliveriesQuery, [row.task_id])).rows;
  return {
    task,
    times: { submitted, running, stored, ended },
    callback: callback === null ? null : { url: callback, deliveries },
  };
}

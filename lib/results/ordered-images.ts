/** Images as their owner reads them by their ids, however they were ordered. Read-only. */
import type pg from "pg";
import type { ImageLayer } from "../contract/image-layer";
import type { TaskStatus } from "../contract/states";
import { type OrderReader, readableBy, readerValues } from "../db/order-readers";
import { type ImageSpec, itemsOf } from "./image-results";

export type OrderedItem =
  | {
      readonly file: string | null;
      readonly width: number | null;
      readonly height: number | null;
      readonly layer: ImageLayer | null;
    }
  | { readonly error: string };

export interface OrderedImage {
  readonly id: string;
  readonly operationId: string;
  readonly accountId: string;
  /** As the request named it; its identifier where a call waited for the image. */
  readonly model: string;
  readonly status: TaskStatus;
  readonly errorCode: string | null;
  readonly spec: Pick<ImageSpec, "width" | "height" | "sizeName" | "settings">;
  /** Null before the charge; each one's file, null once it is removed, or why it is missing. */
  readonly items: readonly OrderedItem[] | null;
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether nobody waited for it. */
  readonly isTask: boolean;
}

export interface ImageFilter {
  readonly page: number;
  readonly pageSize: number;
  readonly status: string | null;
  readonly ids: readonly string[];
  readonly model: string | null;
}

/** Older images can be found by their id, but are not listed. */
const LIST_DAYS = 7;

// An image that a call waits for has no state but its request's, which may be archived.
const ended = `case when r.outcome = 'settled' or r.id is null and i.media_id is not null then 'succeeded'
  when r.outcome = 'released' or r.id is null then 'failed' else 'running' end`;

const images = `select i.id, i.operation_id as "operationId", i.account_id as "accountId", i.model as "modelId",
    coalesce(t.model_named, i.model) as model, coalesce(t.status, ${ended}) as status,
    coalesce(t.error_code, case when r.outcome = 'released' then r.reason end) as "errorCode",
    i.spec - 'prompt' - 'pictures' as spec,
    case when coalesce(t.status, ${ended}) = 'succeeded' then ${itemsOf("i")} end as items,
    i.result_expires_at as "expiresAt", coalesce(i.result_expires_at <= now(), false) as "isExpired",
    i.created_at as "createdAt", coalesce(t.updated_at, r.ended_at, i.created_at) as "updatedAt",
    t.id is not null as "isTask", i.hidden_at as "hiddenAt", r.api_key_id as "apiKeyId",
    (select o.user_id from playground_operation o where o.operation_id = i.operation_id) as "userId"
  from image_result i left join video_task t on t.operation_id = i.operation_id
    left join request_known r on r.id = i.operation_id`;

const readable = (at: number) =>
  readableBy(
    {
      accountId: 'i."accountId"',
      apiKeyId: 'i."apiKeyId"',
      userId: 'i."userId"',
      model: 'i."modelId"',
    },
    at,
  );

/** An image that the caller may read and has not removed; any other one is not found. */
export async function findImage(
  pool: pg.Pool,
  reader: OrderReader,
  id: string,
): Promise<OrderedImage | undefined> {
  const { rows } = await pool.query<OrderedImage>(
    `select i.* from (${images} where i.id = $1 and i.account_id = $2 and i.hidden_at is null) i
      where ${readable(3)}`,
    [id, reader.accountId, ...readerValues(reader)],
  );
  return rows[0];
}

/** The image of an operation, for the request that ordered it or the work on it. */
export async function imageOfOperation(
  pool: pg.Pool,
  operationId: string,
): Promise<OrderedImage | undefined> {
  const text = `${images} where i.operation_id = $1`;
  return (await pool.query<OrderedImage>(text, [operationId])).rows[0];
}

/** The images of the last days that the caller may read, newest first. */
export async function listImages(
  pool: pg.Pool,
  reader: OrderReader,
  { page, pageSize, status, ids, model }: ImageFilter,
): Promise<{ images: OrderedImage[]; total: number }> {
  const where = `where i.account_id = $1 and i.hidden_at is null
    and i.created_at > now() - make_interval(days => ${LIST_DAYS})
    and (cardinality($3::text[]) = 0 or i.id = any($3)) and ($4::text is null or i.model = $4)`;
  const from = `(${images} ${where}) i where ($2::text is null or i.status = $2) and ${readable(5)}`;
  const values = [reader.accountId, status, ids, model, ...readerValues(reader)];
  const counted = await pool.query<{ total: number }>(
    `select count(*)::integer as total from ${from}`,
    values,
  );
  const { rows } = await pool.query<OrderedImage>(
    `select i.* from ${from} order by i."createdAt" desc, i.id desc limit $9 offset $10`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  return { images: rows, total: counted.rows[0]?.total ?? 0 };
}

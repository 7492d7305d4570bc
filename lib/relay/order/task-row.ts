/** A task as its row in the database: of a video, or of an image that nobody waits for. */
import type pg from "pg";
import type { TaskStatus } from "../../contract/states";
import { isStatementRefused } from "../../db/database-errors";
import { RelayError } from "../../failures/relay-error";
import type { ImageSpec } from "../../results/image-results";
import type { VideoFacts, VideoSpec } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";

/**
 * What the upstream said of a task: of a video its facts, with the stored files of its pictures if it
 * made them; of a failure its code.
 */
type TaskFacts = Partial<VideoFacts> & {
  readonly thumbnail?: string;
  readonly lastFrame?: string;
  readonly upstreamCode?: string;
};

/** What the tasks of both families have. */
interface TaskFields {
  readonly id: string;
  readonly operationId: string;
  readonly accountId: string;
  readonly model: string;
  readonly modelNamed: string;
  readonly status: TaskStatus;
  readonly submitState: "none" | "intent" | "accepted";
  readonly channelId: string | null;
  readonly channelProtocol: Channel["protocol"] | null;
  readonly channelBaseUrl: string | null;
  /** The one of several credentials with which it was ordered. */
  readonly channelCredential: string | null;
  readonly upstreamRef: string | null;
  readonly pollFailures: number;
  readonly mediaId: string | null;
  readonly resultExpiresAt: Date | null;
  readonly isResultExpired: boolean;
  readonly errorCode: string | null;
  readonly outputTokens: number | null;
  readonly callbackUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly hiddenAt: Date | null;
  readonly ageSeconds: number;
}

/** A video's task as its owner may see it. */
export interface TaskRow extends TaskFields {
  readonly family: "video";
  readonly spec: VideoSpec;
  readonly facts: TaskFacts | null;
}

/** An image's task, for the work on it: its owner sees its row of `image_result`. */
export interface ImageTaskRow extends TaskFields {
  readonly family: "image";
  readonly spec: ImageSpec;
  /** The addresses of the pictures that it is made from, until its end. */
  readonly imageUrls: readonly string[];
}

export type AnyTaskRow = TaskRow | ImageTaskRow;

/** The part of a task that is known from its opening on: what sending and ending it need. */
export type OpenTask = Pick<
  TaskFields,
  "id" | "operationId" | "accountId" | "model" | "channelId" | "upstreamRef" | "createdAt"
>;

/** The columns of a task, `t`. */
export const taskColumns = `t.id, t.family, t.operation_id as "operationId", t.account_id as "accountId", t.model, t.model_named as "modelNamed", t.spec, t.status,
  case when t.family = 'image' then t.image_urls end as "imageUrls",
  t.submit_state as "submitState", t.channel_id as "channelId", t.channel_protocol as "channelProtocol", t.channel_base_url as "channelBaseUrl",
  t.channel_credential as "channelCredential",
  t.upstream_ref as "upstreamRef", t.poll_failures as "pollFailures", t.media_id as "mediaId", t.result_expires_at as "resultExpiresAt",
  coalesce(t.result_expires_at <= now(), false) as "isResultExpired", t.error_code as "errorCode", t.output_tokens::float8 as "outputTokens", t.facts,
  t.callback_url as "callbackUrl", t.created_at as "createdAt", t.updated_at as "updatedAt", t.hidden_at as "hiddenAt",
  extract(epoch from now() - t.created_at)::float8 as "ageSeconds"`;

/** Who ordered a task, `t`. */
export const taskOrder = {
  accountId: "t.account_id",
  apiKeyId: "t.api_key_id",
  userId: "(select o.user_id from playground_operation o where o.operation_id = t.operation_id)",
  model: "t.model",
} as const;

export type TaskQuery = <T extends pg.QueryResultRow>(
  text: string,
  values: unknown[],
) => Promise<pg.QueryResult<T>>;

/**
 * Queries on the tables of tasks. They reject with `database_unavailable` when the database does
 * not answer.
 */
export function taskQueryOf(pool: pg.Pool): TaskQuery {
  return async (text, values) => {
    try {
      return await pool.query(text, values);
    } catch (error) {
      if (isStatementRefused(error)) throw error;
      throw new RelayError("database_unavailable", { cause: error, retryAfterSeconds: 2 });
    }
  };
}

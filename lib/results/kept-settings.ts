/**
 * The stored parameters of an order, which allow repeating it, and their removal: with the result,
 * or by the owner.
 */
import type pg from "pg";
import type { MediaRole, ResultFamily } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { FILE_SECONDS } from "../media/media-store";

export interface StoredImage {
  readonly role: MediaRole;
  /** Null when the image came inside the request: it is not stored. */
  readonly url: string | null;
}

export function storedImages(role: StoredImage["role"], urls: readonly string[]): StoredImage[] {
  return urls.map((url) => ({ role, url: url.startsWith("data:") ? null : url }));
}

const REMOVED_AT_ONCE = 500;
const withoutText =
  "spec = (spec - 'prompt' - 'pictures') #- '{settings,safety_identifier}' #- '{settings,passed,user}', settings_removed_at = now()";
/** A part of an `update` of the table. */
export const withoutSettings = {
  video_task: `${withoutText}, facts = facts - 'revisedPrompt'`,
  image_result: withoutText,
} as const;

/**
 * Removes prompts and images of orders that ended longer ago than files are kept; returns how many.
 */
export async function forgetSettings(pool: pg.Pool): Promise<number> {
  let removed = 0;
  for (const [table, since] of [
    ["video_task", "ended_at"],
    ["image_result", "created_at"],
  ] as const) {
    for (let count = REMOVED_AT_ONCE; count === REMOVED_AT_ONCE; removed += count) {
      const { rowCount } = await pool.query(
        `update ${table} set ${withoutSettings[table]} where id in (select id from ${table}
           where ${since} < now() - make_interval(secs => $1) and settings_removed_at is null order by ${since} limit ${REMOVED_AT_ONCE})`,
        [FILE_SECONDS],
      );
      count = rowCount ?? 0;
    }
  }
  return removed;
}

/**
 * Removes an ended task from its account's list, with its prompt and images. Changes no points.
 * Rejects with `task_not_removable` while the task runs.
 */
export async function hideResult(
  pool: pg.Pool,
  family: ResultFamily,
  accountId: string,
  id: string,
): Promise<void> {
  const table = family === "video" ? "video_task" : "image_result";
  const ended =
    family === "video"
      ? "ended_at is not null"
      : "not exists (select from open_request q where q.id = image_result.operation_id)";
  const { rowCount } = await pool.query(
    `update ${table} set hidden_at = now(), ${withoutSettings[table]}
      where id = $1 and account_id = $2 and hidden_at is null and ${ended}`,
    [id, accountId],
  );
  if (!rowCount) throw new RelayError("task_not_removable");
}

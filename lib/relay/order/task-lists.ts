/** The lists of the videos' tasks of an account that a caller may read: by pages with a total, and from one task to the next. */
import { type OrderReader, readableBy, readerValues } from "../../db/order-readers";
import { type TaskQuery, type TaskRow, taskColumns, taskOrder } from "./task-row";

export interface TaskFilter {
  readonly page: number;
  readonly pageSize: number;
  readonly status: string | null;
  readonly ids: readonly string[];
  readonly model: string | null;
  readonly serviceTier: string | null;
}

interface TaskPage {
  /** The id of a task of the account; null for the first page. */
  readonly after: string | null;
  readonly isAscending: boolean;
  readonly count: number;
}

/** Older tasks can be found by their id, but are not listed. */
const LIST_DAYS = 7;

export function taskLists(query: TaskQuery) {
  return {
    async list(
      reader: OrderReader,
      filter: TaskFilter,
    ): Promise<{ tasks: TaskRow[]; total: number }> {
      const where = `t.account_id = $1 and t.family = 'video' and t.hidden_at is null and t.created_at > now() - make_interval(days => ${LIST_DAYS})
        and ($2::text is null or t.status = $2) and (cardinality($3::text[]) = 0 or t.id = any($3)) and ($4::text is null or t.model = $4)
        and ($5::text is null or $5 = coalesce(t.facts ->> 'serviceTier', t.spec #>> '{settings,service_tier}', 'default'))
        and ${readableBy(taskOrder, 6)}`;
      const { status, ids, model, serviceTier } = filter;
      const values = [reader.accountId, status, ids, model, serviceTier, ...readerValues(reader)];
      const counted = await query<{ total: number }>(
        `select count(*)::integer as total from video_task t where ${where}`,
        values,
      );
      const { rows } = await query<TaskRow>(
        `select ${taskColumns} from video_task t where ${where} order by t.created_at desc, t.id desc limit $10 offset $11`,
        [...values, filter.pageSize, (filter.page - 1) * filter.pageSize],
      );
      return { tasks: rows, total: counted.rows[0]?.total ?? 0 };
    },
    /** Up to `count` tasks after the task `after`, which may be hidden, or from the first one on. */
    async listAfter(
      reader: OrderReader,
      { after, isAscending, count }: TaskPage,
    ): Promise<TaskRow[]> {
      const [compare, order] = isAscending ? [">", "asc"] : ["<", "desc"];
      const { rows } = await query<TaskRow>(
        `select ${taskColumns} from video_task t
          where t.account_id = $1 and t.family = 'video' and t.hidden_at is null and t.created_at > now() - make_interval(days => ${LIST_DAYS})
            and ($2::text is null or (t.created_at, t.id) ${compare} (select c.created_at, c.id from video_task c where c.id = $2 and c.account_id = $1))
            and ${readableBy(taskOrder, 4)}
          order by t.created_at ${order}, t.id ${order} limit $3`,
        [reader.accountId, after, count, ...readerValues(reader)],
      );
      return rows;
    },
  };
}

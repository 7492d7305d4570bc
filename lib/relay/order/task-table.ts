/**
 * Queries and updates of tasks. Only the ledger opens and ends tasks. All times are the
 * database's.
 */
import type pg from "pg";
import type { TaskStatus } from "../../contract/states";
import { type OrderReader, readableBy, readerValues } from "../../db/order-readers";
import { RelayError } from "../../failures/relay-error";
import { readModelOf } from "../../model-book/read-models";
import { readPrice, type StoredPrice } from "../../price-book/stored-price";
import type { Price } from "../../pricing/price";
import { withoutSettings } from "../../results/kept-settings";
import { taskLeases } from "./task-leases";
import { taskLists } from "./task-lists";
import {
  type AnyTaskRow,
  type TaskQuery,
  type TaskRow,
  taskColumns,
  taskOrder,
  taskQueryOf,
} from "./task-row";
import { taskSteps } from "./task-steps";

/** The price version and multiplier from when the task was ordered. */
interface TaskPrice {
  readonly price: Price;
  readonly multiplierPpm: number;
  readonly holdAmount: bigint;
}

function reads(query: TaskQuery) {
  return {
    async priceOf(operationId: string): Promise<TaskPrice> {
      const { rows } = await query<StoredPrice & { ppm: number; hold: string }>(
        `select p.input_price, p.output_price, p.other_rates, r.multiplier_ppm as ppm, r.hold_amount as hold
           from request_known r join price_version p on p.id = r.price_version_id where r.id = $1`,
        [operationId],
      );
      const row = rows[0];
      if (!row) throw new RelayError("internal_error", { internal: `no request ${operationId}` });
      return {
        price: readPrice(row),
        multiplierPpm: row.ppm,
        holdAmount: BigInt(row.hold),
      };
    },
    /** The model as it was when the task was ordered; null for one from before versions. */
    modelOf: (operationId: string) => readModelOf(query, operationId),
    /** A video's task that the caller may read, also a hidden one. Any other one is not found. */
    async findFor(reader: OrderReader, id: string): Promise<TaskRow | undefined> {
      const { rows } = await query<TaskRow>(
        `select ${taskColumns} from video_task t where t.id = $1 and t.account_id = $2 and t.family = 'video' and ${readableBy(taskOrder, 3)}`,
        [id, reader.accountId, ...readerValues(reader)],
      );
      return rows[0];
    },
    /** For the work on a task, which nobody reads. */
    async find(accountId: string, id: string): Promise<AnyTaskRow | undefined> {
      const { rows } = await query<AnyTaskRow>(
        `select ${taskColumns} from video_task t where t.id = $1 and t.account_id = $2`,
        [id, accountId],
      );
      return rows[0];
    },
    async findByOperation(accountId: string, operationId: string): Promise<AnyTaskRow | undefined> {
      const text = `select ${taskColumns} from video_task t where t.operation_id = $1 and t.account_id = $2`;
      return (await query<AnyTaskRow>(text, [operationId, accountId])).rows[0];
    },
    async statusesOf(ids: readonly string[]): Promise<{ id: string; status: TaskStatus }[]> {
      const { rows } = await query<{ id: string; status: TaskStatus }>(
        "select id, status from video_task where id = any($1)",
        [ids],
      );
      return rows;
    },
    async hide(accountId: string, id: string): Promise<void> {
      await query(
        `update video_task set hidden_at = now(), ${withoutSettings.video_task} where id = $1 and account_id = $2 and hidden_at is null`,
        [id, accountId],
      );
    },
    /** The points that a settled task was charged. */
    async charged(operationId: string): Promise<bigint> {
      const { rows } = await query<{ amount: string }>("select amount from request where id = $1", [
        operationId,
      ]);
      return BigInt(rows[0]?.amount ?? 0);
    },
  };
}

export type TaskTable = ReturnType<typeof createTaskTable>;

/**
 * `owner` names this process. Every call rejects with `database_unavailable` when the database does
 * not answer.
 */
export function createTaskTable(pool: pg.Pool, owner: string) {
  const query = taskQueryOf(pool);
  return {
    owner,
    ...taskLeases(query, owner),
    ...taskSteps(query, owner),
    ...reads(query),
    ...taskLists(query),
  };
}

/** Tasks with callbacks on a database of their own, and the processes that deliver them. */
import type pg from "pg";
import { Agent } from "undici";
import { type DelivererDeps, startDeliverer } from "@/lib/callbacks/deliverer";
import type { Sender } from "@/lib/callbacks/keep-sending";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { openPool } from "@/lib/db/pool";
import { createTestDatabase } from "../db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  seedAccount,
  taskOf,
} from "../ledger/test-ledger";

export const secret = "a secret of the installation, long enough";

/** What a poll of the task answers. */
async function bodyOf(pool: pg.Pool, id: string) {
  const { rows } = await pool.query<{ status: string }>(
    "select status from video_task where id = $1",
    [id],
  );
  return rows[0]
    ? {
        id,
        model: "super-relay",
        status: rows[0].status,
        error: null,
        created_at: 7,
        updated_at: 8,
      }
    : null;
}

/** The deliveries of a task, in their order. */
const deliveriesOf = async (client: pg.ClientBase, taskId: string) =>
  (
    await client.query<{
      status: string;
      attempts: number;
      last_answer: string;
      delivered: boolean;
      over: boolean;
    }>(
      `select status, attempts, last_answer, delivered_at is not null as delivered, given_up_at is not null as over
         from callback_delivery where task_id = $1 order by id`,
      [taskId],
    )
  ).rows;

export async function openDeliveries() {
  const url = await createTestDatabase();
  const dispatcher = new Agent();
  const pool = openPool(url, 4);
  const client = await connect(url);
  const ledger = await openTestLedger(url);
  const seed = () => seedAccount(client, ledger, 1_000_000_000n);
  const account = await seed();
  const deliverers: Sender[] = [];

  async function openTask(callbackUrl: string | null, spec: object = {}, of = account) {
    const hold = holdOf(of, 1000n, { family: "video" });
    const task = taskOf({ spec, callbackUrl });
    const { taskId } = task;
    await ledger.openTask(hold, task);
    return {
      taskId,
      fail: () =>
        ledger.releaseTask(releaseOf(hold), { status: "failed", errorCode: "upstream_failed" }),
    };
  }

  function start(more: Partial<DelivererDeps> = {}): void {
    deliverers.push(
      startDeliverer({
        pool,
        secrets: fixedSecrets(secret),
        dispatcher,
        taskBody: (_, id) => bodyOf(pool, id),
        log: () => {},
        tickMs: 20,
        ...more,
      }),
    );
  }

  const waitNoMore = (taskId: string) =>
    client.query("update callback_delivery set next_attempt_at = now() where task_id = $1", [
      taskId,
    ]);

  const rowsOf = (taskId: string) => deliveriesOf(client, taskId);

  /** Stops the processes that were started. */
  async function stop(): Promise<void> {
    await Promise.all(deliverers.splice(0).map((deliverer) => deliverer.close()));
  }
  async function close(): Promise<void> {
    await stop();
    await Promise.all([ledger.close(), client.end(), pool.end(), dispatcher.close()]);
  }
  return { client, account, seed, openTask, start, stop, rowsOf, waitNoMore, close };
}

import type pg from "pg";
import { isUndone, isValueRefused } from "../../db/database-errors";
import { isRelayError, RelayError } from "../../failures/relay-error";
import { pause } from "../../timing/pause";
import { callOf } from "./batch-statement";
import { readHoldAnswer } from "./hold-answer";
import type { RecentVerbs } from "./recent-verbs";
import { bareEnd, holdRow, type Row, readEndAnswer, releaseRow, settleRow } from "./rows";
import type { TaskFailure, TaskLedger, TaskOpening, TaskSuccess } from "./task-verbs";
import {
  type EndResult,
  type HoldRequest,
  noOutcome,
  type ReleaseRequest,
  type SettleRequest,
} from "./verbs";

export interface TaskLedgerDeps {
  readonly pool: pg.Pool;
  readonly nodeId: string;
  readonly renew: () => Promise<void>;
  readonly holdPatienceMs: number;
  readonly endPatienceMs: number;
  readonly log: (event: string, detail: unknown) => void;
  readonly recent: RecentVerbs;
}

const RETRY_MS = 200;
/**
 * How long this process tries to release an opening that was refused. What commits later, or after
 * this process has died, is released by a worker.
 */
const RELEASE_TRIES_MS_MAX = 60_000;

/**
 * Tries until the server answers or `patienceMs` have passed. Throws at once what the server itself
 * refuses.
 */
async function patiently(
  patienceMs: number,
  ask: (mayBeDone: boolean) => Promise<string>,
): Promise<string> {
  const until = performance.now() + patienceMs;
  let mayBeDone = false;
  for (;;) {
    try {
      return await ask(mayBeDone);
    } catch (error) {
      if (isValueRefused(error) || isRelayError(error)) throw error;
      if (!isUndone(error)) mayBeDone = true;
      if (performance.now() + RETRY_MS > until)
        throw new RelayError("database_unavailable", { cause: error, retryAfterSeconds: 2 });
      await pause(RETRY_MS);
    }
  }
}

type Ask = (
  name: "ledger_open_task" | "ledger_end_task",
  row: Row,
  task: object,
) => Promise<string>;

function askOf({ pool, nodeId }: TaskLedgerDeps): Ask {
  return async (name, row, task) => {
    const text = JSON.stringify(task);
    const values =
      name === "ledger_open_task"
        ? [nodeId, ...row.slice(0, -1), text, row.at(-1)]
        : [...row, text];
    const { rows } = await pool.query<{ answer: string }>(
      `select ${callOf(name, values.length)} as answer`,
      values,
    );
    return rows[0]?.answer ?? "";
  };
}

/**
 * The caller was refused, but the database may have the task or may still commit it. This process
 * tries to release its points soon. It does not have to succeed: only the process that opened a
 * task submits it, and a worker releases any task that was never submitted.
 */
async function releaseUncertainHold(
  hold: HoldRequest,
  ask: Ask,
  log: TaskLedgerDeps["log"],
): Promise<void> {
  const { operationId, accountId } = hold;
  const row = releaseRow({
    operationId,
    accountId,
    reason: "database_unavailable",
    loss: null,
    outcome: noOutcome,
  });
  for (
    const until = performance.now() + RELEASE_TRIES_MS_MAX;
    performance.now() < until;
    await pause(1000)
  ) {
    const answer = await ask("ledger_end_task", row, {
      status: "failed",
      error: "database_unavailable",
    }).catch(() => "");
    if (answer !== "" && answer !== "a") return;
  }
  log("ledger_task_stray", operationId);
}

/** Settles or releases a task; where the database refuses a value of the row, without its texts. */
function endingOf({ endPatienceMs, log }: TaskLedgerDeps, ask: Ask) {
  return async (row: Row, task: object, isSettle: boolean): Promise<EndResult> => {
    let wasSent = false;
    const answer = await patiently(endPatienceMs, (mayBeDone) => {
      wasSent = mayBeDone;
      return ask("ledger_end_task", row, task).catch((error: unknown) => {
        if (!isValueRefused(error)) throw error;
        log("ledger_task_end_bare", error);
        return ask("ledger_end_task", bareEnd(row), task);
      });
    });
    const result = readEndAnswer(answer, isSettle);
    // After a lost answer, `already` may be the caller's own commit.
    if (wasSent && result?.result === "already" && (result.outcome === "settled") === isSettle)
      return { ...result, result: "done" };
    if (!result)
      throw new RelayError("internal_error", {
        internal: `the ledger answered "${answer}" to the end of a task`,
      });
    return result;
  };
}

export function createTaskLedger(deps: TaskLedgerDeps): TaskLedger {
  const ask = askOf(deps);
  const end = endingOf(deps, ask);
  return {
    async openTask(hold, task: TaskOpening) {
      const opened = {
        id: task.taskId,
        named: task.modelNamed,
        spec: task.spec,
        images: task.imageUrls,
        callback: task.callbackUrl,
        owner: task.leaseOwner,
        lease: task.leaseSeconds,
      };
      const row = holdRow(hold);
      try {
        let answer = await patiently(deps.holdPatienceMs, () =>
          ask("ledger_open_task", row, opened),
        );
        if (answer === "n") {
          await deps.renew();
          answer = await patiently(deps.holdPatienceMs, () => ask("ledger_open_task", row, opened));
        }
        const result = readHoldAnswer(answer);
        const { operationId: id, accountId: account } = hold;
        if (result.result === "held")
          deps.recent.note({ id, account, row, isHold: true }, result.amount);
        return result;
      } catch (error) {
        if (!isValueRefused(error)) void releaseUncertainHold(hold, ask, deps.log);
        throw error;
      }
    },
    settleTask(request: SettleRequest, { mediaId, outputTokens, facts }: TaskSuccess) {
      return end(
        settleRow(request),
        { status: "succeeded", media: mediaId, tokens: outputTokens, facts },
        true,
      );
    },
    releaseTask(request: ReleaseRequest, { status, errorCode, facts }: TaskFailure) {
      return end(
        releaseRow(request),
        { status, error: errorCode, facts: facts ?? undefined },
        false,
      );
    },
  };
}

/** Compares what video callers received and the upstream recorded with tasks and charges. */
import pg from "pg";
import { openTaskStatuses } from "@/lib/contract/states";
import { priceOf } from "@/lib/pricing/price";
import type { RecordedTask } from "./recording-ark";
import type { VideoCallers } from "./video-callers";

export interface VideoVerdict {
  readonly tasks: number;
  readonly charged: number;
  /** Submits whose answer was lost: released, with a row in the losses. */
  readonly orphans: number;
  readonly openTasks: number;
  readonly faults: string[];
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly prompt: string;
  readonly upstream_ref: string | null;
  readonly outcome: string | null;
  readonly amount: string | null;
  readonly cause: string | null;
}

/** The list price of `Super-Relay1.5`. */
const price = { input: 0n, output: 1_600_000_000n };
const isOpen = ({ status }: Row) => openTaskStatuses.some((each) => each === status);

async function readTasks(databaseUrl: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(
      `select t.id, t.status, t.spec ->> 'prompt' as prompt, t.upstream_ref, s.outcome, s.amount::text, l.cause
         from video_task t left join settlement s on s.operation_id = t.operation_id
         left join operator_loss l on l.operation_id = t.operation_id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** What is wrong with one ended task; null for nothing. */
function faultOf(task: Row, recorded: RecordedTask | undefined): string | null {
  const { id, status, outcome, amount } = task;
  if ((status === "succeeded") !== (outcome === "settled"))
    return `${id} is ${status} and ${outcome}`;
  if (status !== "succeeded") {
    if (amount !== "0") return `${id} is ${status} and cost ${amount}`;
    return recorded?.willSucceed && task.upstream_ref
      ? `${id} is ${status}, but the upstream made its video`
      : null;
  }
  if (!recorded?.willSucceed) return `${id} was charged, but the upstream made no video`;
  const right = priceOf({ inputTokens: 0, outputTokens: recorded.outputTokens }, price, 1_000_000);
  return BigInt(amount ?? -1) === right ? null : `${id} was charged ${amount} instead of ${right}`;
}

function callersFaults(tasks: readonly Row[], callers: VideoCallers): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [...callers.ended].flatMap(([prompt, end]) => {
    const task = byId.get(end.taskId);
    if (!task) return [`${prompt}: its caller got ${end.taskId}, which is not there`];
    return task.status === end.status
      ? []
      : [`${prompt}: its caller last saw ${end.status}, it is ${task.status}`];
  });
}

/** Reads every task with its charge and lists those that are wrong. */
export async function checkVideos(
  databaseUrl: string,
  callers: VideoCallers,
  recordedTasks: ReadonlyMap<string, RecordedTask>,
): Promise<VideoVerdict> {
  const tasks = await readTasks(databaseUrl);
  const ended = tasks.filter((task) => !isOpen(task));
  const faults = ended.flatMap(
    (task) =>
      faultOf(task, task.upstream_ref ? recordedTasks.get(task.upstream_ref) : undefined) ?? [],
  );
  const charged = ended.filter(({ outcome }) => outcome === "settled");
  const chargedPrompts = charged.map(({ prompt }) => prompt);
  for (const prompt of chargedPrompts.filter(
    (prompt, index) => chargedPrompts.indexOf(prompt) !== index,
  ))
    faults.push(`${prompt} was charged twice`);
  const submitted = new Map<string, number>();
  for (const { prompt } of recordedTasks.values())
    submitted.set(prompt, (submitted.get(prompt) ?? 0) + 1);
  for (const [prompt, times] of submitted)
    if (times > 1 && !callers.retried.has(prompt))
      faults.push(`${prompt} was sent upstream ${times} times`);
  faults.push(...callersFaults(tasks, callers));
  const orphans = ended.filter(({ cause }) => cause === "orphan_upstream").length;
  return {
    tasks: tasks.length,
    charged: charged.length,
    orphans,
    openTasks: tasks.length - ended.length,
    faults,
  };
}

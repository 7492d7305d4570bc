/** Opens the hold and the task of an order in one commit, and has it sent. */
import type { Principal } from "../../accounts/principal";
import type { Dialect } from "../../contract/states";
import { newId, newOperationId } from "../../crypto/ids";
import { RelayError } from "../../failures/relay-error";
import type { Call } from "../../http/serve";
import type { Channel } from "../../upstream/provider";
import type { PricedModel } from "./find-model";
import { clientGone, type HoldAmounts, holdRequest } from "./hold";
import { setRemaining } from "./key-rooms";
import { notedOrder } from "./noted-order";
import { refusedHold } from "./refused-hold";
import { releaseTask } from "./release-task";
import { warnOfRetiring } from "./retiring";
import type { TaskDeps } from "./task-deps";
import type { AnyTaskRow, OpenTask } from "./task-row";

const TASK_ID_HEADER = "x-relay-task-id";

/** What tells of a task's call which model serves it: the one of the task that an earlier attempt opened. */
export const servingOf = ({ table }: Pick<TaskDeps, "table">, call: OrderingCall) => ({
  headers: call.headers,
  async earlier(): Promise<string | undefined> {
    if (!call.idempotency?.isResumed) return undefined;
    const { operationId } = call.idempotency;
    return (await table.findByOperation(call.principal.accountId, operationId))?.model;
  },
  isOrdered: () => Object.hasOwn(call.headers, TASK_ID_HEADER),
});
/**
 * How long only the request that opened a task may submit it; longer once the submit has started.
 */
const LEASE_SECONDS = 60;
/** Added to a task's lifetime, so that the worker ends the task before its hold's deadline. */
const DEADLINE_SLACK_SECONDS = 24 * 3600;

/** An order that becomes a task. */
export interface TaskOrder extends PricedModel, HoldAmounts {
  readonly modelNamed: string;
  /** What is stored of it, with its pictures. */
  readonly spec: object;
  /** The addresses of its images, which are stored until it was sent. */
  readonly images: object;
  readonly callbackUrl: string | null;
  /** Absent: as long as any task may take. */
  readonly lifeSeconds?: number;
  /** Throws while its result would have no place: then it is not sent. */
  readonly assertStored: () => void;
  /** The channels that cannot make it; absent for none. Throws what the client must change. */
  readonly excluded?: () => Promise<readonly Channel[]>;
  /** The API that it was ordered in, where that is not its family's own. */
  readonly dialect: Dialect | null;
}

/** A request that orders. */
type OrderingCall = Omit<Call, "row" | "body">;

/**
 * Sends the task, which this process alone may do meanwhile. `claim`: the idempotency key of the
 * request, if a retry may take it over.
 */
export type Send = (task: OpenTask, channel: Channel, claim: string | null) => Promise<void>;

/**
 * Opens the hold and the task; the channel was picked before. Throws 402, `key_budget_exhausted`,
 * `account_suspended`, 503.
 */
async function openTask(
  deps: TaskDeps,
  call: OrderingCall,
  order: TaskOrder,
  id: string,
): Promise<OpenTask> {
  const operationId = call.idempotency?.operationId ?? newOperationId();
  const { accountId } = call.principal;
  const { lifeSeconds = deps.times.lifeSeconds } = order;
  const deadlineSeconds = lifeSeconds + DEADLINE_SLACK_SECONDS;
  const hold = holdRequest(call, operationId, order, order, deadlineSeconds, order.dialect);
  const held = await notedOrder(call.principal, operationId, () =>
    deps.ledger.openTask(hold, {
      taskId: id,
      modelNamed: order.modelNamed,
      spec: order.spec,
      imageUrls: order.images,
      callbackUrl: order.callbackUrl,
      leaseOwner: deps.table.owner,
      leaseSeconds: LEASE_SECONDS,
    }),
  );
  if (held.result !== "held") throw refusedHold(held, order.holdAmount);
  setRemaining(call.headers, held);
  warnOfRetiring(call.headers, order.model, call.principal);
  return {
    id,
    operationId,
    accountId,
    model: order.model.id,
    channelId: null,
    upstreamRef: null,
    createdAt: new Date(),
  };
}

/** Throws for a callback that nothing would sign. */
export function assertSignable({ apiKeyId }: Principal, callbackUrl: string | null): void {
  if (callbackUrl === null || apiKeyId !== null) return;
  const message =
    "`callback_url` is for orders with an API key, whose secret signs what is sent there. Omit it.";
  throw new RelayError("unsupported_value", { message, param: "callback_url" });
}

const claimOf = ({ idempotency }: OrderingCall) => idempotency?.key ?? null;

/**
 * Sends a task that an earlier attempt of this request opened and nobody has sent. Throws 409 while
 * another process may be sending it.
 */
async function sendUnsent(
  deps: TaskDeps,
  call: OrderingCall,
  task: AnyTaskRow,
  { assertStored, excluded }: TaskOrder,
  send: Send,
): Promise<void> {
  assertStored();
  const isOurs = !deps.busy.has(task.id) && (await deps.table.takeUnsubmitted(task.id));
  if (!isOurs) throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 2 });
  deps.busy.add(task.id);
  try {
    const channel = await deps.chooser.pick(task.model, (await excluded?.()) ?? []);
    await send(task, channel, claimOf(call));
  } finally {
    deps.busy.delete(task.id);
  }
}

/**
 * Opens a task and has it sent, or joins the one that an earlier attempt of this request opened. Its
 * id is in the headers as soon as the task exists. Resolves when it was sent. Throws the client's
 * error when nothing was ordered.
 */
export async function buyTask(
  deps: TaskDeps,
  call: OrderingCall,
  order: TaskOrder,
  send: Send,
): Promise<OpenTask | AnyTaskRow> {
  let isGone = false;
  call.incoming.onGone(() => {
    isGone = true;
  });
  const resumed = call.idempotency?.isResumed
    ? await deps.table.findByOperation(call.principal.accountId, call.idempotency.operationId)
    : undefined;
  if (resumed) {
    call.headers[TASK_ID_HEADER] = resumed.id;
    if (resumed.status === "queued" && resumed.submitState === "none")
      await sendUnsent(deps, call, resumed, order, send);
    return resumed;
  }
  assertSignable(call.principal, order.callbackUrl);
  order.assertStored();
  const excluded = (await order.excluded?.()) ?? [];
  const channel: Channel = await deps.chooser.pick(order.model.id, excluded);
  const id = newId("task");
  deps.busy.add(id);
  try {
    const task = await openTask(deps, call, order, id).catch((error: unknown) => {
      deps.chooser.giveBack(channel);
      throw error;
    });
    call.headers[TASK_ID_HEADER] = id;
    if (isGone) {
      deps.chooser.giveBack(channel);
      await releaseTask(deps, task, { status: "failed", code: "client_gone" });
      throw clientGone();
    }
    await send(task, channel, claimOf(call));
    return task;
  } finally {
    call.rawBody.releaseImages();
    deps.busy.delete(id);
  }
}

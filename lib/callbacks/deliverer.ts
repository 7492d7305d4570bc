/**
 * The background work that delivers callbacks: due rows, a few at a time, as long as the process
 * runs.
 */
import type pg from "pg";
import type { Dispatcher } from "undici";
import type { Secrets } from "../crypto/secrets";
import { claimDeliveries, type Delivery, noteAttempt } from "./delivery-queue";
import { keepSending, type Sender } from "./keep-sending";
import { sendPatiently } from "./send-callback";
import { callbackSecret, sharedCallbackSecret, signatureHeaders } from "./signature";

export interface DelivererDeps {
  readonly pool: pg.Pool;
  /** The keys' signing secrets are derived from these. */
  readonly secrets: Secrets;
  /** Connects only to addresses that API clients may name. */
  readonly dispatcher: Dispatcher;
  /** The body of a poll of the task, as JSON; null when the task no longer exists. */
  readonly taskBody: (accountId: string, taskId: string) => Promise<TaskBody | null>;
  readonly log: (event: string, detail: unknown) => void;
  readonly tickMs?: number;
  readonly patienceMs?: number;
}

/** The task's body as a poll returns it. Its other members are passed on. */
interface TaskBody {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  readonly created_at: number;
}

/** A slow receiver takes one of many places until its 5 seconds are over. */
const TOGETHER = 32;
const TICK_MS = 3000;
/** The result of a delivery that nothing may sign: the key that ordered it is revoked. */
const KEY_REVOKED = "key revoked";

/**
 * The task may have moved on: the body states the task's status at the time of the delivery,
 * without what came later.
 */
function bodyOf(task: TaskBody, delivery: Delivery): string {
  if (task.status === delivery.status) return JSON.stringify(task);
  const changed = Math.floor(delivery.createdAt.getTime() / 1000);
  return JSON.stringify({
    id: task.id,
    model: task.model,
    status: delivery.status,
    error: null,
    created_at: task.created_at,
    updated_at: changed,
  });
}

/**
 * What signs a delivery, also under the previous secret while it is accepted: the receiver may not
 * have the new one yet. Nothing that the holder of a revoked key knows.
 */
function secretsOf({ accepted }: Secrets, delivery: Delivery): string[] {
  const { apiKeyId, accountId, sharedRenewals } = delivery;
  return accepted.flatMap((secret) => [
    ...(apiKeyId === null ? [] : [callbackSecret(secret, apiKeyId)]),
    ...(sharedRenewals === null ? [] : [sharedCallbackSecret(secret, accountId, sharedRenewals)]),
  ]);
}

export function startDeliverer(deps: DelivererDeps): Sender {
  const { pool, dispatcher, log } = deps;

  async function deliver(delivery: Delivery) {
    const task = await deps.taskBody(delivery.accountId, delivery.taskId);
    const signedUnder = secretsOf(deps.secrets, delivery);
    if (task === null || signedUnder.length === 0) {
      const why = task === null ? "no such task" : KEY_REVOKED;
      await noteAttempt(pool, delivery, why, false, true);
      return undefined;
    }
    const body = bodyOf(task, delivery);
    const headers = signatureHeaders(
      signedUnder,
      `msg_${delivery.id}`,
      Math.floor(Date.now() / 1000),
      body,
    );
    return sendPatiently(
      dispatcher,
      delivery.url,
      headers,
      body,
      (attempt) =>
        noteAttempt(pool, delivery, attempt.answer, attempt.isDelivered, attempt.isFinal),
      deps.patienceMs,
    );
  }
  return keepSending({
    places: TOGETHER,
    tickMs: deps.tickMs ?? TICK_MS,
    claim: (count) => claimDeliveries(pool, count),
    send: deliver,
    onProblem: (what, error) =>
      log(what === "send" ? "callback_failed" : "callback_claim_failed", error),
  });
}

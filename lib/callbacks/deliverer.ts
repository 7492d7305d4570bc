/**
 * The background work that delivers callbacks: due rows, a few at a time, as long as the process
 * runs.
 */
import type pg from "pg";
import type { Dispatcher } from "undici";
import { pause } from "../pause";
import type { Secrets } from "../secrets";
import { claimDeliveries, type Delivery, noteAttempt } from "./delivery-queue";
import { NO_ANSWER, PATIENCE_MS, sendCallback } from "./send-callback";
import { callbackSecret, signatureHeaders } from "./signature";

export interface DelivererDeps {
  readonly pool: pg.Pool;
  /** The accounts' signing secrets are derived from these. */
  readonly secrets: Secrets;
  /** Connects only to addresses that API clients may name. */
  readonly dispatcher: Dispatcher;
  /** The body of a poll of the task, as JSON; null when the task no longer exists. */
  readonly taskBody: (accountId: string, taskId: string) => Promise<TaskBody | null>;
  readonly log: (event: string, detail: unknown) => void;
  readonly tickMs?: number;
}

/** The task's body as a poll returns it. Its other members are passed on. */
interface TaskBody {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  readonly created_at: number;
}

export interface Deliverer {
  /** Resolves when the deliveries in progress have ended. */
  close(): Promise<void>;
}

const TOGETHER = 32;
const TICK_MS = 1000;

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

export function startDeliverer(deps: DelivererDeps): Deliverer {
  const { pool, dispatcher, log } = deps;
  let isClosed = false;
  let filling: Promise<void> | null = null;
  const underway = new Set<Promise<void>>();
  /** Attempts without an answer, which are recorded only after the common time for all failures. */
  const unanswered = new Set<Promise<void>>();
  const closing = new AbortController();

  async function deliver(delivery: Delivery): Promise<void> {
    const task = await deps.taskBody(delivery.accountId, delivery.taskId);
    if (task === null) return noteAttempt(pool, delivery, "no such task", false, true);
    const body = bodyOf(task, delivery);
    // Also signed with the previous secret while it is accepted: the receiver may not have the new
    // one yet.
    const signedUnder = deps.secrets.accepted.map((secret) =>
      callbackSecret(secret, delivery.accountId),
    );
    const headers = signatureHeaders(
      signedUnder,
      `msg_${delivery.id}`,
      Math.floor(Date.now() / 1000),
      body,
    );
    const startedAt = performance.now();
    const attempt = await sendCallback(dispatcher, delivery.url, headers, body);
    const note = () =>
      noteAttempt(pool, delivery, attempt.answer, attempt.isDelivered, attempt.isFinal);
    if (attempt.answer !== NO_ANSWER) return note();
    const waited = pause(startedAt + PATIENCE_MS - performance.now(), {
      signal: closing.signal,
      isUnref: true,
    });
    const noted: Promise<void> = waited
      .then(note)
      .catch((error) => log("callback_failed", error))
      .finally(() => unanswered.delete(noted));
    unanswered.add(noted);
  }

  /** A slow receiver takes one of many places until its 5 seconds are over. */
  async function fillPlaces(): Promise<void> {
    for (const delivery of await claimDeliveries(pool, TOGETHER - underway.size)) {
      const work: Promise<void> = deliver(delivery)
        .catch((error) => log("callback_failed", error))
        .finally(() => underway.delete(work));
      underway.add(work);
    }
  }

  const timer = setInterval(() => {
    if (isClosed || underway.size >= TOGETHER) return;
    filling ??= fillPlaces()
      .catch((error) => log("callback_claim_failed", error))
      .finally(() => {
        filling = null;
      });
  }, deps.tickMs ?? TICK_MS);
  timer.unref();
  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await filling;
      await Promise.all(underway);
      closing.abort();
      await Promise.all(unanswered);
    },
  };
}

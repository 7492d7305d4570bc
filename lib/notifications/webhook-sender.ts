/** Delivers webhooks, signed as Standard Webhooks specifies. */
import type pg from "pg";
import type { Dispatcher } from "undici";
import { keepSending, type Sender } from "../callbacks/keep-sending";
import { sendPatiently } from "../callbacks/send-callback";
import { signatureHeaders } from "../callbacks/signature";
import { eventOf } from "../contract/notification-kinds";
import type { Secrets } from "../crypto/secrets";
import { claimWebhooks, type DueDelivery, dropWebhook, noteWebhook } from "./webhook-queue";
import { fittingWebhookSecret } from "./webhook-secret";

const TOGETHER = 32;

export interface WebhookSenderDeps {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  /** Connects only to addresses that customers may name. */
  readonly dispatcher: Dispatcher;
  readonly tickMs: number;
  /** Pauses an endpoint that is gone or failed for days, and tells its owner. */
  readonly pause: (endpointId: string) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
}

/** The same bytes at each attempt, unless a part of it is no longer so. */
const bodyOf = (due: DueDelivery): string =>
  JSON.stringify({
    type: due.kind === null ? "webhook.test" : eventOf(due.kind),
    timestamp: due.createdAt.toISOString(),
    account: due.accountId,
    data: due.data ?? {},
  });

export function startWebhookSender(deps: WebhookSenderDeps): Sender {
  const { pool, secrets, dispatcher, pause } = deps;
  async function deliver(due: DueDelivery) {
    if (due.kind !== null && due.data === null) {
      await dropWebhook(pool, due.id);
      return undefined;
    }
    const signedUnder = [due.sealed, due.oldSealed].flatMap((sealed) => {
      const secret = sealed && fittingWebhookSecret(secrets, due.endpointId, sealed);
      return secret === null ? [] : [secret];
    });
    if (signedUnder.length === 0) throw new Error(`the secret of ${due.endpointId} does not open`);
    const body = bodyOf(due);
    const now = Math.floor(Date.now() / 1000);
    const headers = signatureHeaders(signedUnder, due.notificationId ?? `msg_${due.id}`, now, body);
    return sendPatiently(dispatcher, due.url, headers, body, async (attempt) => {
      if (await noteWebhook(pool, due, attempt)) await pause(due.endpointId);
    });
  }
  return keepSending({
    places: TOGETHER,
    tickMs: deps.tickMs,
    claim: (count) => claimWebhooks(pool, count),
    send: deliver,
    onProblem: (_, error) => deps.onProblem(error),
  });
}

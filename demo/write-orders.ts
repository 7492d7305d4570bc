/** The hold of an order, and how it went, in the ledger's terms. */
import { randomBytes, randomUUID } from "node:crypto";
import { newId, newOperationId } from "@/lib/ids";
import type { HoldRequest, Loss, Outcome } from "@/lib/ledger/verbs";
import type { Micropoints } from "@/lib/points";
import type { PricedModel } from "@/lib/relay/order/find-model";
import { failureOf } from "@/lib/upstream/failure";
import type { AnyOrder } from "./orders";
import { DAY } from "./rhythm";
import type { Writing } from "./writing";

/** The product keeps the health of channels for so long. */
const HEALTH_KEPT = 8 * DAY;

export interface HeldOrder<Order extends AnyOrder> {
  readonly order: Order;
  readonly accountId: string;
  readonly operationId: string;
  readonly sold: PricedModel;
  readonly held: Micropoints;
}

interface Amounts {
  readonly quoteAmount: Micropoints;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin: Micropoints;
  readonly deadlineSeconds: number;
}

/** Null for a key that is paused or does not exist any more: the relay would refuse it. */
export function keyOf(writing: Writing, { key, person }: AnyOrder): string | null | undefined {
  if (key === null) return null;
  const id = writing.keys.get(`${person.email} ${key}`);
  return id === undefined || writing.paused.has(id) ? undefined : id;
}

export function holdRequest(
  writing: Writing,
  order: AnyOrder,
  apiKeyId: string | null,
  { model, price, multiplierPpm }: PricedModel,
  amounts: Amounts,
): HoldRequest {
  if (apiKeyId !== null) writing.noteUse(apiKeyId, order.at);
  return {
    operationId: newOperationId(order.at),
    accountId: writing.person(order.person.email).accountId,
    apiKeyId,
    source: apiKeyId === null ? "playground" : "api",
    requestId: newId("request", order.at),
    family: model.family,
    model: model.id,
    priceVersionId: price.id,
    multiplierPpm,
    requestSha256: randomBytes(32),
    ...amounts,
  };
}

export const upstreamRefOf = ({ family }: AnyOrder): string =>
  family === "text" ? `chatcmpl-${randomUUID()}` : `cgt-${randomUUID()}`;

export function outcomeOf(writing: Writing, order: AnyOrder, upstreamRef: string | null): Outcome {
  const isText = order.family === "text";
  return {
    channelId: writing.channel(order.channel).id,
    upstreamRef,
    isStream: isText && order.isStream,
    durationMs: order.durationMs,
    firstByteMs: isText && order.failure === null ? order.firstByteMs : null,
    isAbandoned: isText && order.isAbandoned,
  };
}

/** What a released order may have cost upstream. */
export const lossOf = ({ order, held }: HeldOrder<AnyOrder>): Loss | null =>
  order.loss === null || order.failure === null
    ? null
    : { cause: order.loss, estimateAmount: held, detail: { failure: order.failure } };

const upstreamCodes = [
  "upstream_failed",
  "upstream_bad_response",
  "upstream_timeout",
  "content_rejected",
] as const;

const internals: Readonly<Record<(typeof upstreamCodes)[number], string>> = {
  upstream_failed: "HTTP 503 service_unavailable",
  upstream_bad_response: "the answer is not JSON",
  upstream_timeout: "no answer within 60 s",
  content_rejected: "HTTP 400 SensitiveContentDetected",
};

/** Counts an order in the health of its channel. */
export function noteHealth(writing: Writing, order: AnyOrder): void {
  const { demo, given } = writing;
  if (order.at < given.end - HEALTH_KEPT) return;
  const channel = writing.channel(order.channel);
  const code = upstreamCodes.find((each) => each === order.failure);
  demo.clock.setHere(order.at);
  demo.health.begin(channel);
  demo.health.end(channel);
  const failure = code === undefined ? null : failureOf(code, internals[code]);
  demo.health.note(channel, failure, order.family === "video" ? 900 : order.durationMs);
}

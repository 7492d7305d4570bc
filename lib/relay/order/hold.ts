/** The hold of an order: built, opened and released in the same way for every family. */
import { spenderOf } from "../../accounts/principal";
import type { Dialect } from "../../contract/states";
import { RelayError } from "../../failures/relay-error";
import type { Call } from "../../http/serve";
import type { HoldRequest, Ledger, Outcome } from "../../ledger/core/verbs";
import type { Micropoints } from "../../money/points";
import type { Chooser } from "../../upstream/choose";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import type { PricedModel } from "./find-model";
import { setRemaining } from "./key-rooms";
import { notedOrder } from "./noted-order";
import { refusedHold } from "./refused-hold";
import { warnOfRetiring } from "./retiring";

/** The amounts of an order's hold. An absent quote or minimum equals the hold. */
export interface HoldAmounts {
  readonly quoteAmount?: Micropoints;
  readonly holdAmount: Micropoints;
  readonly holdAmountMin?: Micropoints;
}

/**
 * `deadlineSeconds` must exceed the longest time the order may take: the sweep ends what passes it.
 */
export function holdRequest(
  call: Pick<Call, "principal" | "requestId" | "rawBody" | "tags">,
  operationId: string,
  { model, price, multiplierPpm }: PricedModel,
  { holdAmount, quoteAmount = holdAmount, holdAmountMin = holdAmount }: HoldAmounts,
  deadlineSeconds: number,
  dialect: Dialect | null = null,
): HoldRequest {
  const { accountId, apiKeyId, source } = spenderOf(call.principal);
  return {
    operationId,
    accountId,
    apiKeyId,
    source,
    requestId: call.requestId,
    family: model.family,
    dialect,
    model: model.id,
    modelVersionId: model.versionId,
    priceVersionId: price.id,
    multiplierPpm,
    quoteAmount,
    holdAmount,
    holdAmountMin,
    requestSha256: call.rawBody.sha256(),
    deadlineSeconds,
    tags: call.tags,
  };
}

/** An order that runs within its request, from its hold to its settlement or release. */
export interface HeldOrder {
  readonly id: string;
  readonly call: Pick<
    Call,
    "principal" | "requestId" | "rawBody" | "headers" | "idempotency" | "tags"
  >;
  readonly deps: { readonly ledger: Ledger; readonly chooser: Chooser };
  readonly order: PricedModel;
  /** Of text: the form of the answer. */
  readonly form?: "plain" | "stream";
  /** Of text: what names its conversation. */
  readonly conversation?: () => string;
  /** Absent or null for an order in its family's own form. */
  readonly dialect?: Dialect | null;
  /** Set by the hold, and replaced after a failed attempt. */
  channel: Channel;
  heldAmount: Micropoints;
  /** The amounts to hold for the order at a channel. */
  amountsAt(channel: Channel): HoldAmounts;
  readonly deadlineSeconds: number;
  outcome(upstreamRef: string | null): Outcome;
}

/**
 * Picks the first channel and holds the amounts, or as much of them as the account has. Throws what
 * `pick` throws, 402, `key_budget_exhausted`, `account_suspended`, 503.
 */
export async function openHold(held: HeldOrder): Promise<void> {
  const { ledger, chooser } = held.deps;
  const picked = chooser.pick(held.order.model.id, [], held.form, held.conversation);
  held.channel = picked instanceof Promise ? await picked : picked;
  try {
    const request = holdRequest(
      held.call,
      held.id,
      held.order,
      held.amountsAt(held.channel),
      held.deadlineSeconds,
      held.dialect,
    );
    const { principal } = held.call;
    const opened = await notedOrder(principal, held.id, () => ledger.openHold(request));
    if (opened.result !== "held") throw refusedHold(opened, request.holdAmountMin);
    setRemaining(held.call.headers, opened);
    warnOfRetiring(held.call.headers, held.order.model, held.call.principal);
    held.heldAmount = opened.amount;
  } catch (error) {
    chooser.giveBack(held.channel);
    throw error;
  }
}

/** Releases the hold. `loss` is set when the upstream may bill us all the same. */
export async function releaseHold(
  held: HeldOrder,
  reason: string,
  loss: object | null,
  upstreamRef: string | null = null,
): Promise<void> {
  await held.deps.ledger.release({
    operationId: held.id,
    accountId: held.call.principal.accountId,
    reason,
    loss:
      loss === null
        ? null
        : { cause: "usage_missing", estimateAmount: held.heldAmount, detail: loss },
    outcome: held.outcome(upstreamRef),
  });
}

/**
 * Releases the hold after a failure. Records a loss when the upstream may bill us, or when a part
 * of the answer reached the client.
 */
export function releaseAfter(
  held: HeldOrder,
  { code, mayHaveCost }: UpstreamFailure,
  wasDelivered = false,
  upstreamRef: string | null = null,
): Promise<void> {
  return releaseHold(
    held,
    code,
    mayHaveCost || wasDelivered ? { failure: code } : null,
    upstreamRef,
  );
}

/** Releases the hold and throws: the client disconnected before anything was sent upstream. */
export async function abandonHold(held: HeldOrder): Promise<never> {
  held.deps.chooser.giveBack(held.channel);
  await releaseHold(held, "client_gone", null);
  throw clientGone();
}

export const clientGone = () =>
  new RelayError("upstream_failed", {
    message: "The client disconnected before the request was sent to the upstream.",
  });

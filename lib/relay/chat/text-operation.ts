/** One chat request from its hold to its end. It is ended exactly once, whatever becomes of the client. */
import { spenderOf } from "../../accounts/principal";
import type { ChatRequest } from "../../contract/chat";
import type { Endpoints } from "../../contract/endpoints";
import { isRelayError, RelayError } from "../../errors";
import type { CallOf, Log } from "../../http/serve";
import { newOperationId } from "../../ids";
import type { HoldResult, Ledger, Outcome, ReleaseRequest } from "../../ledger/verbs";
import type { RunningWork } from "../../limits/running-work";
import { MICROPOINTS_MAX, type Micropoints, pointsNumber } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import { outputTokensWithin, priceOf, type TokenUsage } from "../../pricing/price";
import type { Chooser } from "../../upstream/choose";
import type { Channel, ChatEnd, ChatProvider, UpstreamFailure } from "../../upstream/provider";
import { orderText, type TextOrder, type TextTerms, termsAt, upstreamBody } from "./text-order";

export type ChatRow = Endpoints["createChatCompletion"];

export interface ChatParts {
  readonly ledger: Ledger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly provider: ChatProvider;
  readonly running: RunningWork;
  readonly log: Log;
}

/** Longer than any upstream may take and be read for its usage, so that the sweeper never meets work that still runs. */
const DEADLINE_SECONDS = 7200;
const POINTS_HELD_RETRY_SECONDS = 5;

export class TextOperation {
  readonly id: string;
  /** The id that the customer sees. */
  readonly answerId: string;
  readonly order: TextOrder;
  /** True from the moment the client is known to have left. */
  isAbandoned = false;
  firstByteMs: number | null = null;
  /** Chosen with the hold. */
  channel!: Channel;
  /** What the request means at that channel. */
  #terms!: TextTerms;
  #heldAmount: Micropoints = 0n;
  readonly #startedAt = performance.now();

  constructor(
    readonly parts: ChatParts,
    readonly call: CallOf<ChatRow>,
    readonly request: ChatRequest,
  ) {
    this.id = call.once?.operationId ?? newOperationId();
    this.answerId = `chatcmpl-${this.id.replaceAll("-", "")}`;
    this.order = orderText(request, call.principal, parts.priceBook);
  }

  get isStream(): boolean {
    return this.request.stream === true;
  }

  /** Holds the upper bound, or as much of it as there is. Throws what `pick` throws, 402, `key_budget_exhausted`, `account_suspended`, 503. */
  async openHold(): Promise<void> {
    const { order, call, parts } = this;
    const picked = parts.chooser.pick(order.model.id, []);
    this.channel = picked instanceof Promise ? await picked : picked;
    const terms = this.#termsAt(this.channel);
    let held: HoldResult;
    try {
      held = await parts.ledger.openHold({
        operationId: this.id,
        ...spenderOf(call.principal),
        requestId: call.requestId,
        family: "text",
        model: order.model.id,
        priceVersionId: order.price.id,
        multiplierPpm: order.multiplierPpm,
        quoteAmount: terms.holdAmount,
        holdAmount: terms.holdAmount,
        holdAmountMin: terms.holdAmountMin,
        requestSha256: call.sent.sha256(),
        deadlineSeconds: DEADLINE_SECONDS,
      });
      if (held.result !== "held") throw refusedHold(held, terms.holdAmountMin);
    } catch (error) {
      parts.chooser.giveBack(this.channel);
      throw error;
    }
    this.#heldAmount = held.amount;
    this.#terms = terms;
  }

  #termsAt(channel: Channel): TextTerms {
    return termsAt(this.order, this.request, channel, this.parts.chooser.keepsBound(channel.id));
  }

  /** The request's text for the channel chosen now; tells the client which of its fields stay here. */
  upstreamBody(): string {
    const { order, channel } = this;
    const terms = this.#terms;
    const affordable = outputTokensWithin(this.#heldAmount, terms.inputTokensMax, order.price.price, order.multiplierPpm);
    const upstreamModel = channel.models[order.model.id] ?? order.model.id;
    terms.ignored.tell(this.call.headers);
    return upstreamBody(this.request, terms, channel, upstreamModel, Math.min(terms.capTokens, affordable));
  }

  #outcome(upstreamRef: string | null): Outcome {
    return {
      channelId: this.channel.id,
      upstreamRef,
      isStream: this.isStream,
      durationMs: Math.round(performance.now() - this.#startedAt),
      firstByteMs: this.firstByteMs === null ? null : Math.round(this.firstByteMs),
      isAbandoned: this.isAbandoned,
    };
  }

  #price(usage: TokenUsage): Micropoints {
    try {
      return priceOf(usage, this.order.price.price, this.order.multiplierPpm);
    } catch {
      return MICROPOINTS_MAX;
    }
  }

  /** What the answer's usage will be charged; null when it cannot be billed. */
  amountOf({ usage, hasContent }: ChatEnd): Micropoints | null {
    const isEmptyCount = usage !== null && usage.inputTokens === 0 && usage.outputTokens === 0 && hasContent;
    if (usage === null || isEmptyCount) return null;
    const amount = this.#price(usage);
    if (amount > this.#heldAmount) return this.#heldAmount;
    return amount;
  }

  /** Ends an answer that we ended: charges the last usage known, or notes a loss when there is none. */
  async endCut(end: ChatEnd, failure: UpstreamFailure): Promise<void> {
    const fields = { operationId: this.id, channelId: this.channel.id, code: failure.code, internal: failure.internal };
    this.parts.log.warn({ ...fields, isBilled: end.usage !== null }, "an answer was ended by the relay");
    if (end.usage === null) await this.releaseAfter(failure, true, end.upstreamRef);
    else await this.settle(end, failure.code);
  }

  /** Charges the usage reported, or nothing when none can be billed. Resolves when it is durable. `reason`: why the answer was cut. */
  async settle(end: ChatEnd, reason: string | null = null): Promise<Micropoints> {
    const { parts, call } = this;
    const { usage } = end;
    if (usage === null || this.amountOf(end) === null) {
      const fault = end.usageFault ?? "absurd";
      parts.chooser.reportUsage(this.channel, false);
      parts.log.error(
        { alarm: "usage_missing", fault, operationId: this.id, channelId: this.channel.id },
        "an answer came without usage to bill",
      );
      await this.#release("usage_missing", { fault }, end.upstreamRef);
      return 0n;
    }
    parts.chooser.reportUsage(this.channel, true);
    const amount = this.#price(usage);
    if (amount > this.#heldAmount) this.#reportOverBound();
    const ended = await parts.ledger.settle({
      operationId: this.id,
      accountId: call.principal.accountId,
      amount,
      usage: { ...usage, reported: countsOf(usage.reported) },
      reason,
      outcome: this.#outcome(end.upstreamRef),
    });
    return ended.amount;
  }

  /** The upstream did not keep the cap that it was given. */
  #reportOverBound(): void {
    const { parts, channel } = this;
    const fields = { operationId: this.id, channelId: channel.id };
    parts.log.error({ alarm: "usage_over_hold", ...fields }, "usage exceeds the hold");
    if (!parts.chooser.reportOverBound(channel)) return;
    const message = "the channel's usage passes its bound again and again: it rests, and holds for it take the model's most";
    parts.log.error({ alarm: "channel_over_bound", ...fields }, message);
  }

  async #release(reason: string, loss: unknown, upstreamRef: string | null): Promise<void> {
    const request: ReleaseRequest = {
      operationId: this.id,
      accountId: this.call.principal.accountId,
      reason,
      loss: loss === null ? null : { cause: "usage_missing", estimateAmount: this.#heldAmount, detail: loss },
      outcome: this.#outcome(upstreamRef),
    };
    await this.parts.ledger.release(request);
  }

  /** Gives everything back after a failure; with an operator loss when the upstream may bill us all the same. */
  async releaseAfter(failure: UpstreamFailure, wasDelivered: boolean, upstreamRef: string | null = null): Promise<void> {
    await this.#release(failure.code, failure.mayHaveCost || wasDelivered ? { failure: failure.code } : null, upstreamRef);
  }

  /** Gives everything back: the client left before anything was sent. */
  async releaseUnsent(): Promise<void> {
    this.parts.chooser.giveBack(this.channel);
    await this.#release("client_gone", null, null);
  }

  /** Gives everything back: a retry with the same Idempotency-Key took the request over. */
  async releaseTakenOver(): Promise<void> {
    await this.#release("taken_over", { failure: "taken_over" }, null);
  }

  /** Another channel whose terms the hold covers. Throws what `pick` throws. */
  async #pickAnother(tried: Channel[]): Promise<true> {
    for (;;) {
      const channel = await this.parts.chooser.pick(this.order.model.id, tried);
      const terms = this.#termsAt(channel);
      if (terms.holdAmountMin <= this.#heldAmount) {
        this.channel = channel;
        this.#terms = terms;
        return true;
      }
      this.parts.chooser.giveBack(channel);
      tried.push(channel);
    }
  }

  /** Notes a failed attempt and moves on to another channel when it surely cost nothing; false when the failure stands. */
  async moveOn(failure: UpstreamFailure, tried: Channel[]): Promise<boolean> {
    const { parts, channel } = this;
    parts.chooser.report(channel, failure);
    const fields = { operationId: this.id, channelId: channel.id, code: failure.code, internal: failure.internal };
    if (failure.isOperatorFault) parts.log.error({ alarm: "upstream_account", ...fields }, "the upstream refuses us: check the channel");
    else parts.log.warn(fields, "an upstream attempt failed");
    tried.push(channel);
    if (!failure.isSurelyFree || tried.length >= ATTEMPTS_MAX) return false;
    try {
      return await this.#pickAnother(tried);
    } catch (error) {
      if (isRelayError(error)) return false;
      throw error;
    }
  }
}

const ATTEMPTS_MAX = 3;

/** The numbers of a usage object, two levels deep: what the ledger keeps is free of an upstream's texts. */
function countsOf(reported: object, depth = 2): Record<string, unknown> {
  const counts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(reported)) {
    if (!/^\w{1,64}$/.test(name)) continue;
    if (Number.isFinite(value)) counts[name] = value;
    else if (depth > 1 && typeof value === "object" && value !== null && !Array.isArray(value)) counts[name] = countsOf(value, depth - 1);
  }
  return counts;
}

/** Why a hold was refused, as the customer is told. */
export function refusedHold(held: Exclude<HoldResult, { result: "held" }>, required: Micropoints): RelayError {
  if (held.result === "account_suspended") return new RelayError("account_suspended");
  if (held.result === "key_budget_exhausted") {
    const remaining = pointsNumber(held.remaining);
    const message = `This request needs ${pointsNumber(required)} points; the API key's budget has ${remaining} left.`;
    return new RelayError("key_budget_exhausted", {
      message,
      fields: { remaining_points: remaining, required_points: pointsNumber(required) },
    });
  }
  const fields = {
    available_points: pointsNumber(held.available),
    held_points: pointsNumber(held.held),
    required_points: pointsNumber(required),
  };
  const figures = `This request needs ${fields.required_points} points; ${fields.available_points} are available and ${fields.held_points} are held`;
  if (held.available + held.held >= required) {
    const message = `${figures} by running work. Try again when it has ended.`;
    return new RelayError("points_held", { message, fields, retryAfterSeconds: POINTS_HELD_RETRY_SECONDS });
  }
  return new RelayError("insufficient_points", { message: `${figures}. Top up on the points page.`, fields });
}

/** One chat request from its hold to its end, which comes once, whatever the client does. */

import type { ContentDraft, ContentKeeper } from "../../content/content-keeper";
import { capTakenBy, streamsFromAnswer } from "../../contract/channel-profile";
import type { ChatRequest } from "../../contract/chat";
import type { EndpointRow } from "../../contract/endpoint";
import type { Dialect } from "../../contract/states";
import { newOperationId } from "../../crypto/ids";
import type { CanonicalRequest, NativeRequest } from "../../dialects/text-dialect";
import type { CallOf, Log } from "../../http/serve";
import type { InlineImages } from "../../json/inline-images";
import type { Ledger, Outcome } from "../../ledger/core/verbs";
import type { RunningWork } from "../../limits/running-work";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import type { Chooser } from "../../upstream/choose";
import type { Channel, ChatEnd, ChatProvider, UpstreamFailure } from "../../upstream/provider";
import { Attempts } from "../order/attempts";
import { MODEL_HEADER } from "../order/chosen-model";
import { channelAfter } from "../order/failover";
import { type HeldOrder, openHold, releaseAfter } from "../order/hold";
import { conversationOf } from "./conversation";
import { ModelTurns, mayFallBack, takenOver } from "./fallbacks";
import { assertPictures } from "./model-limits";
import { PlainerTries, withoutRefused } from "./plainer-tries";
import { settleText, TextCharge } from "./text-charge";
import { affordableCap, orderText, type TextOrder, type TextTerms, termsAt } from "./text-order";
import { upstreamBody } from "./upstream-body";
import { reportCut } from "./usage-alarms";

/** A row of the text family: the endpoint of chat completions, or of a dialect. */
export type TextRow = EndpointRow & { readonly admits: readonly ["apiKey", "session"] };
/** What an operation needs of its call, whichever form the call has. */
export type TextCall = Omit<CallOf<TextRow>, "row" | "body">;

export interface ChatDeps {
  readonly ledger: Ledger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly provider: ChatProvider;
  readonly running: RunningWork;
  readonly log: Log;
  readonly contents?: ContentKeeper | undefined;
  /** How long a stream may be silent before its client is told that it goes on. */
  readonly keepAliveMs?: number | undefined;
}

/** Longer than any upstream call that is read for its usage: the sweep ends no work that runs. */
const DEADLINE_SECONDS = 7200;
/** Of most languages' text, about. */
const BYTES_PER_TOKEN = 4;

export class TextOperation implements HeldOrder {
  /** Another one for each model that is asked. */
  id: string;
  /** The answer's id as the client sees it. */
  readonly answerId: string;
  order!: TextOrder;
  request: ChatRequest;
  readonly #models: ModelTurns;
  /** The request's fields that its dialect could not pass on. */
  readonly #leftOut: readonly string[];
  readonly #leftOutInChat: readonly string[];
  readonly #openNative: CanonicalRequest["native"];
  readonly #fieldNames: Readonly<Record<string, string>>;
  content: ContentDraft | null = null;
  /** True once the client is known to have disconnected. */
  isAbandoned = false;
  /** True once its client has an answer that only names it: neither its id nor what a retry gets changes. */
  isDetached = false;
  firstByteMs: number | null = null;
  /** Set by the hold. */
  channel!: Channel;
  /** What `channel` refused of the request. */
  #tries = new PlainerTries();
  #capSent = 0;
  /** The request's terms at `channel`. */
  #terms!: TextTerms;
  heldAmount: Micropoints = 0n;
  readonly deadlineSeconds = DEADLINE_SECONDS;
  readonly #startedAt = performance.now();
  #attempts!: Attempts;
  #charge!: TextCharge;

  constructor(
    readonly deps: ChatDeps,
    readonly call: TextCall,
    readonly asked: CanonicalRequest,
    /** Null for chat completions. */
    readonly dialect: Dialect | null,
  ) {
    const { body, ignored, ignoredInChat = [], native, fieldNames = {} } = asked;
    this.request = body;
    this.#models = new ModelTurns(body, call.principal, deps);
    this.#openNative = native;
    this.#fieldNames = fieldNames;
    this.#leftOut = ignored;
    this.#leftOutInChat = ignoredInChat;
    this.id = call.idempotency?.operationId ?? newOperationId();
    this.answerId = `chatcmpl-${this.id.replaceAll("-", "")}`;
    this.#takeModel();
    assertPictures(body, call.rawBody);
  }

  #takeModel(): void {
    const { deps, call } = this;
    const { images } = call.rawBody;
    const order = this.#models.take((asked) =>
      orderText(asked, call.principal, deps.priceBook, images),
    );
    [this.request, this.order] = [order.request, order];
    this.asked.assertOffered?.(order.sold);
    this.#attempts = new Attempts(deps.chooser, this.id, order.model.id);
    this.#tries = new PlainerTries();
    this.#charge = new TextCharge(order, () => this.#terms.asks);
  }

  /** Opens the hold of the first model that can be had. Throws what `openHold` throws of the last. */
  async open(): Promise<void> {
    await this.#models.hold(
      () => openHold(this),
      () => this.#takeModel(),
    );
    if (this.#models.isChosen) this.call.headers[MODEL_HEADER] = this.order.model.id;
  }

  /** Asks the next model, in an operation of its own; false where there is none. */
  async #fallBack(): Promise<boolean> {
    if (!this.#models.isMore || this.isDetached) return false;
    const { idempotency } = this.call;
    const id = idempotency ? await idempotency.renew() : newOperationId();
    if (id === null) throw takenOver();
    this.id = id;
    this.#takeModel();
    await this.open();
    return true;
  }

  /** The encoded images that the upstream's body refers to. */
  get images(): InlineImages | undefined {
    return this.call.rawBody.images;
  }

  /** What the request's input is about, where the upstream counts only at the end. */
  get inputTokensEstimate(): number {
    const { inputTokensMax, passedOn } = this.#terms;
    return Math.min(inputTokensMax, Math.ceil(passedOn.length / BYTES_PER_TOKEN));
  }

  get isStream(): boolean {
    return this.request.stream === true;
  }

  /** True when the current channel's upstream speaks the API in which the client asks. */
  get isNative(): boolean {
    return this.#nativeAt(this.channel) !== null;
  }

  /** The channel, with what the request has sent as headers. */
  get wireChannel(): Channel {
    const { headers = {} } = this.#nativeAt(this.channel) ?? {};
    if (Object.keys(headers).length === 0) return this.channel;
    return { ...this.channel, headers: { ...this.channel.headers, ...headers } };
  }

  readonly conversation = () => conversationOf(this.request, this.call);

  /** The form of the answer, which decides which channels can bill it. */
  get form(): "plain" | "stream" {
    return this.isStream ? "stream" : "plain";
  }

  /** A stream that is made from a whole answer is made of chat chunks. */
  #nativeAt(channel: Channel): NativeRequest | null {
    if (this.isStream && streamsFromAnswer(channel)) return null;
    return this.#openNative?.(this.order.sold, channel.protocol) ?? null;
  }

  /**
   * The amounts to hold for the request at `channel`. The operation uses this channel's terms from
   * here on.
   */
  amountsAt(channel: Channel): TextTerms {
    this.#terms = termsAt(this.order, channel, {
      keepsBound: this.deps.chooser.keepsBound(channel.id),
      refused: this.#tries.refused,
      native: this.#nativeAt(channel),
      images: this.images,
    });
    return this.#terms;
  }

  /**
   * The request body for the current channel. Tells the client which of its fields are not passed
   * on.
   */
  upstreamBody(): string {
    const { order, channel } = this;
    const terms = this.#terms;
    const affordable = affordableCap(this.heldAmount, terms, order);
    const upstreamModel = channel.models[order.model.id] ?? order.model.id;
    const native = this.#nativeAt(channel);
    for (const name of this.#leftOut) terms.ignored.add(name);
    for (const name of native?.ignored ?? this.#leftOutInChat) terms.ignored.add(name);
    const caps = [terms.capTokens, capTakenBy(channel, order.model.id), this.#tries.capMax];
    const capTokens = Math.min(affordable, ...caps);
    this.#capSent = capTokens;
    this.#attempts.begin();
    const at = { channel, upstreamModel, native };
    const body = upstreamBody(this.request, terms, at, capTokens);
    terms.ignored.setHeader(this.call.headers, this.#fieldNames);
    return body;
  }

  outcome(upstreamRef: string | null): Outcome {
    return {
      channelId: this.channel.id,
      upstreamRef,
      isStream: this.isStream,
      durationMs: Math.round(performance.now() - this.#startedAt),
      firstByteMs: this.firstByteMs === null ? null : Math.round(this.firstByteMs),
      isAbandoned: this.isAbandoned,
    };
  }

  /** The charge for the answer's usage; null when it cannot be billed. */
  amountOf(end: ChatEnd): Micropoints | null {
    return this.#charge.within(end, this.heldAmount);
  }

  /** Ends an answer that the relay cut: charges its last known usage, or records a loss. */
  async endCut(end: ChatEnd, failure: UpstreamFailure): Promise<void> {
    reportCut(this, failure, end.usage !== null);
    if (end.usage === null) return this.breakOff(end, failure);
    this.#attempts.failed(this.channel, failure, end.upstreamRef);
    await this.settle(end, failure.code);
  }

  /** Releases the hold after an answer that broke off: its client may have a part of it. */
  async breakOff({ upstreamRef }: ChatEnd, failure: UpstreamFailure): Promise<void> {
    this.#attempts.failed(this.channel, failure, upstreamRef);
    await releaseAfter(this, failure, true, upstreamRef);
  }

  /** Resolves when the charge is durable. `reason`: why the answer was cut. */
  settle(end: ChatEnd, reason: string | null = null): Promise<Micropoints> {
    return settleText(this, this.#charge, end, reason);
  }

  /** The channel answered: what it refused before is remembered for the next requests. */
  noteAnswer(): void {
    const { chooser } = this.deps;
    chooser.report(this.channel, null);
    const refused = this.#tries.lasting;
    if (refused !== null) chooser.reportRefused(this.channel, this.order.model.id, refused);
    this.#attempts.answered(this.channel);
  }

  /**
   * Whether the same channel is asked again, at once and in a plainer form: it refused the request for
   * what can be said in another way, the form differs, and the hold covers it.
   */
  #asksPlainer(failure: UpstreamFailure): boolean {
    const before = this.upstreamBody();
    if (!this.#tries.take(failure, this.#capSent)) return false;
    const { refused } = this.#tries;
    this.channel = withoutRefused(this.channel, refused);
    if (this.amountsAt(this.channel).holdAmountMin > this.heldAmount) return false;
    if (this.upstreamBody() === before) return false;
    const fields = { operationId: this.id, channelId: this.channel.id, refused };
    this.deps.log.info(fields, "asked again in a plainer form");
    return true;
  }

  /**
   * Asks again in a plainer form, moves on to another channel whose terms the hold covers, or releases
   * the hold and throws: see `channelAfter`.
   */
  async moveOn(failure: UpstreamFailure, tried: Channel[]): Promise<void> {
    this.#attempts.failed(this.channel, failure);
    if (this.#asksPlainer(failure)) return;
    this.#tries = new PlainerTries();
    const { param } = failure;
    const named = param === null ? null : (this.#fieldNames[param] ?? param);
    const own = { ...failure, param: named };
    try {
      this.channel = await channelAfter(this.deps, this.channel, own, tried, {
        model: this.order.model.id,
        form: this.form,
        conversation: this.conversation,
        named: { operationId: this.id },
        isCovered: (channel) => this.amountsAt(channel).holdAmountMin <= this.heldAmount,
        release: () => releaseAfter(this, failure),
      });
    } catch (error) {
      if (!mayFallBack(failure) || !(await this.#fallBack())) throw error;
      tried.length = 0;
    }
  }
}

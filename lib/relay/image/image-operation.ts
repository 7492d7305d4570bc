/** One image from its hold to its end. It is ended exactly once, whatever becomes of the client. */
import type pg from "pg";
import { spenderOf } from "../../accounts/principal";
import { imageTokens } from "../../catalog/image-sizes";
import type { Endpoints } from "../../contract/endpoints";
import type { ImageRequest } from "../../contract/image";
import { isOutage } from "../../db/database-errors";
import { isRelayError } from "../../errors";
import type { CallOf, Log } from "../../http/serve";
import { newOperationId } from "../../ids";
import type { Ledger, Outcome } from "../../ledger/verbs";
import type { RunningWork } from "../../limits/running-work";
import type { KeptMedia, MediaStore } from "../../media/media-store";
import { pause } from "../../pause";
import { MICROPOINTS_MAX, type Micropoints } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import { priceOf } from "../../pricing/price";
import { noteImage } from "../../tasks/image-results";
import { keptPictures } from "../../tasks/kept-settings";
import type { Chooser } from "../../upstream/choose";
import type { ImageProvider, ImageResult } from "../../upstream/media-provider";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { refusedHold } from "../chat/text-operation";
import { type ImagePurchase, orderImage } from "./image-order";

export type ImageRow = Endpoints["createImage"];

export interface ImageParts {
  readonly ledger: Ledger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly imageProvider: ImageProvider;
  readonly media: MediaStore;
  /** Where images are written down for their owner's list. */
  readonly pool: pg.Pool;
  readonly running: RunningWork;
  readonly log: Log;
}

/** Longer than an upstream and the copying of its result may take, so that the sweeper never meets work that still runs. */
const DEADLINE_SECONDS = 1200;
const ATTEMPTS_MAX = 3;
const NOTE_RETRY_MS = 3000;
const NOTE_TRIES = 200;

export type Delivered = Extract<ImageResult, { isOk: true }>;

export class ImageOperation {
  readonly id: string;
  readonly order: ImagePurchase;
  /** True from the moment the client is known to have left. */
  isAbandoned = false;
  /** Chosen with the hold. */
  channel!: Channel;
  readonly #startedAt = performance.now();

  constructor(
    readonly parts: ImageParts,
    readonly call: CallOf<ImageRow>,
    readonly request: ImageRequest,
  ) {
    this.id = call.once?.operationId ?? newOperationId();
    this.order = orderImage(request, call.principal, parts.priceBook);
  }

  /** Holds the price of the size asked for. Throws what `pick` throws, 402, `key_budget_exhausted`, `account_suspended`, 503. */
  async openHold(): Promise<void> {
    const { order, call, parts } = this;
    const picked = parts.chooser.pick(order.model.id, []);
    this.channel = picked instanceof Promise ? await picked : picked;
    try {
      const held = await parts.ledger.openHold({
        operationId: this.id,
        ...spenderOf(call.principal),
        requestId: call.requestId,
        family: "image",
        model: order.model.id,
        priceVersionId: order.price.id,
        multiplierPpm: order.multiplierPpm,
        quoteAmount: order.holdAmount,
        holdAmount: order.holdAmount,
        holdAmountMin: order.holdAmount,
        requestSha256: call.sent.sha256(),
        deadlineSeconds: DEADLINE_SECONDS,
      });
      if (held.result !== "held") throw refusedHold(held, order.holdAmount);
    } catch (error) {
      parts.chooser.giveBack(this.channel);
      throw error;
    }
  }

  /** Writes it down for its owner's list, which is not what is sold: it is tried again while the database is away, and stops nothing. */
  async note(result: { mediaId: string; expiresAt: Date } | null): Promise<void> {
    const { prompt, width, height, seed, imageUrls } = this.order;
    const spec = { prompt, width, height, ratio: this.request.ratio ?? null, seed, pictures: keptPictures("reference_image", imageUrls) };
    const write = () => noteImage(this.parts.pool, { operationId: this.id, spec }, result);
    await write().catch((error: unknown) => {
      if (isOutage(error) && result !== null) void this.#noteLater(write);
      else this.parts.log.error({ operationId: this.id, err: error }, "an image could not be written down for the list");
    });
  }

  async #noteLater(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      await pause(NOTE_RETRY_MS, { isUnref: true });
      try {
        return await write();
      } catch (err) {
        if (tries < NOTE_TRIES) continue;
        return this.parts.log.error({ operationId: this.id, err }, "an image could not be written down for the list");
      }
    }
  }

  generate(): Promise<ImageResult> {
    const { model, prompt, width, height, imageUrls, seed } = this.order;
    const order = { model: model.id, prompt, width, height, imageUrls, inlineImages: this.call.sent.images, seed };
    return this.parts.imageProvider.generate(this.channel, order);
  }

  /** Makes the result ours. Rejects when it cannot be had or is no image. */
  keep({ image }: Delivered): Promise<KeptMedia> {
    const { media } = this.parts;
    const { accountId } = this.call.principal;
    return "bytes" in image ? media.keep("image", image.bytes, accountId) : media.copy("image", this.channel, image.url, accountId);
  }

  #outcome(upstreamRef: string | null): Outcome {
    return {
      channelId: this.channel.id,
      upstreamRef,
      isStream: false,
      durationMs: Math.round(performance.now() - this.#startedAt),
      firstByteMs: null,
      isAbandoned: this.isAbandoned,
    };
  }

  #price(outputTokens: number): Micropoints {
    try {
      return priceOf({ inputTokens: 0, outputTokens }, this.order.price.price, this.order.multiplierPpm);
    } catch {
      return MICROPOINTS_MAX;
    }
  }

  /** Charges the pixels delivered, at most what was held. Resolves when the charge is durable. */
  async settle(delivered: Delivered, { width, height }: { width: number; height: number }): Promise<Micropoints> {
    const { parts, order } = this;
    const tokens = imageTokens(width, height);
    const fields = {
      operationId: this.id,
      channelId: this.channel.id,
      asked: `${order.width}x${order.height}`,
      came: `${width}x${height}`,
    };
    if (tokens > order.outputTokens) parts.log.error({ alarm: "usage_over_hold", ...fields }, "an image is larger than it was ordered");
    else if (tokens !== order.outputTokens) parts.log.warn(fields, "an image is smaller than it was ordered");
    if (delivered.outputTokens !== null && delivered.outputTokens !== tokens) {
      parts.log.warn({ ...fields, reported: delivered.outputTokens, counted: tokens }, "the upstream counts an image's tokens otherwise");
    }
    const reported = delivered.outputTokens === null ? {} : { output_tokens: delivered.outputTokens };
    const ended = await parts.ledger.settle({
      operationId: this.id,
      accountId: this.call.principal.accountId,
      amount: this.#price(tokens),
      usage: { inputTokens: 0, outputTokens: tokens, reported: { ...reported, width, height } },
      outcome: this.#outcome(delivered.upstreamRef),
    });
    return ended.amount;
  }

  /** Gives everything back; `loss` is set when the upstream may bill us all the same. */
  async release(reason: string, loss: object | null, upstreamRef: string | null = null): Promise<void> {
    await this.parts.ledger.release({
      operationId: this.id,
      accountId: this.call.principal.accountId,
      reason,
      loss: loss === null ? null : { cause: "usage_missing", estimateAmount: this.order.holdAmount, detail: loss },
      outcome: this.#outcome(upstreamRef),
    });
  }

  /** Gives everything back: the client left before anything was sent. */
  async releaseUnsent(): Promise<void> {
    this.parts.chooser.giveBack(this.channel);
    await this.release("client_gone", null);
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
      this.channel = await parts.chooser.pick(this.order.model.id, tried);
      return true;
    } catch (error) {
      if (isRelayError(error)) return false;
      throw error;
    }
  }
}

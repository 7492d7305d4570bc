/**
 * One image request from its hold to its settlement or release. It ends exactly once, whatever the
 * client does.
 */
import type pg from "pg";
import { imageTokens } from "../../catalog/image-sizes";
import type { Endpoints } from "../../contract/endpoints";
import type { ImageRequest } from "../../contract/image";
import type { Dialect } from "../../contract/states";
import { isOutage } from "../../db/database-errors";
import type { CallOf, Log } from "../../http/serve";
import { newOperationId } from "../../ids";
import type { Ledger, Outcome } from "../../ledger/core/verbs";
import type { RunningWork } from "../../limits/running-work";
import type { KeptMedia, MediaStore } from "../../media/media-store";
import { pause } from "../../pause";
import type { Micropoints } from "../../points";
import type { PriceBook } from "../../price-book/price-version";
import { noteImage } from "../../results/image-results";
import { storedImages } from "../../results/kept-settings";
import type { Chooser } from "../../upstream/choose";
import type { ImageProvider, ImageResult } from "../../upstream/media-provider";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { Attempts } from "../order/attempts";
import { chargedAmount, chargeOf, settledUsage } from "../order/charge";
import { channelAfter } from "../order/failover";
import { type HeldOrder, releaseAfter } from "../order/hold";
import { type ImagePurchase, orderImage } from "./image-order";

export type ImageRow = Endpoints["createImage"];
/** A call of an endpoint for images. */
export type ImageCall = Omit<CallOf<ImageRow>, "row">;

export interface ImageDeps {
  readonly ledger: Ledger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly imageProvider: ImageProvider;
  readonly media: MediaStore;
  /** Where images are recorded for their owner's list. */
  readonly pool: pg.Pool;
  readonly running: RunningWork;
  readonly log: Log;
}

/**
 * Longer than an upstream call and the copy of its result: the sweep must never end work that still
 * runs.
 */
const DEADLINE_SECONDS = 1200;
const NOTE_RETRY_MS = 3000;
const NOTE_TRIES = 200;

export type Delivered = Extract<ImageResult, { isOk: true }>;

export class ImageOperation implements HeldOrder {
  readonly id: string;
  readonly order: ImagePurchase;
  readonly dialect: Dialect | null;
  /** True once the client is known to have disconnected. */
  isAbandoned = false;
  /** Set by the hold. */
  channel!: Channel;
  heldAmount: Micropoints = 0n;
  readonly deadlineSeconds = DEADLINE_SECONDS;
  readonly #startedAt = performance.now();
  readonly #attempts: Attempts;

  constructor(
    readonly deps: ImageDeps,
    readonly call: ImageCall,
    readonly request: ImageRequest,
  ) {
    this.id = call.idempotency?.operationId ?? newOperationId();
    this.dialect = call.incoming.dialect ?? null;
    this.order = orderImage(request, call.principal, deps.priceBook);
    this.#attempts = new Attempts(deps.chooser, this.id, this.order.model.id);
  }

  amountsAt(): ImagePurchase {
    return this.order;
  }

  /**
   * Records the image in its owner's list. Nobody pays for the list, so a failure is retried in the
   * background and stops nothing.
   */
  async note(result: { mediaId: string; expiresAt: Date } | null): Promise<void> {
    const { prompt, width, height, quality, seed, imageUrls } = this.order;
    const spec = {
      prompt,
      width,
      height,
      ratio: this.request.ratio ?? null,
      seed,
      ...(quality !== null && { quality }),
      pictures: storedImages("reference_image", imageUrls),
    };
    const write = () => noteImage(this.deps.pool, { operationId: this.id, spec }, result);
    await write().catch((error: unknown) => {
      if (isOutage(error) && result !== null) void this.#noteLater(write);
      else
        this.deps.log.error(
          { operationId: this.id, err: error },
          "an image could not be written down for the list",
        );
    });
  }

  async #noteLater(write: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      await pause(NOTE_RETRY_MS, { isUnref: true });
      try {
        return await write();
      } catch (err) {
        if (tries < NOTE_TRIES) continue;
        return this.deps.log.error(
          { operationId: this.id, err },
          "an image could not be written down for the list",
        );
      }
    }
  }

  generate(): Promise<ImageResult> {
    const { model, prompt, width, height, imageUrls, seed, quality } = this.order;
    const order = {
      model: model.id,
      prompt,
      width,
      height,
      imageUrls,
      inlineImages: this.call.rawBody.images,
      seed,
      quality,
    };
    this.#attempts.begin();
    return this.deps.imageProvider.generate(this.channel, order);
  }

  /** Copies the result into our store. Rejects when it cannot be fetched or is no image. */
  keep({ image }: Delivered): Promise<KeptMedia> {
    const { media } = this.deps;
    const { accountId } = this.call.principal;
    return "bytes" in image
      ? media.keep("image", image.bytes, accountId)
      : media.copy("image", this.channel, image.url, accountId);
  }

  outcome(upstreamRef: string | null): Outcome {
    return {
      channelId: this.channel.id,
      upstreamRef,
      isStream: false,
      durationMs: Math.round(performance.now() - this.#startedAt),
      firstByteMs: null,
      isAbandoned: this.isAbandoned,
    };
  }

  /** Charges the pixels delivered, at most the hold. Resolves when the charge is durable. */
  async settle(
    delivered: Delivered,
    { width, height }: { width: number; height: number },
  ): Promise<Micropoints> {
    const { deps, order } = this;
    const tokens = imageTokens(width, height);
    const fields = {
      operationId: this.id,
      channelId: this.channel.id,
      asked: `${order.width}x${order.height}`,
      came: `${width}x${height}`,
    };
    if (tokens > order.outputTokens)
      deps.log.error(
        { alarm: "usage_over_hold", ...fields },
        "an image is larger than it was ordered",
      );
    else if (tokens !== order.outputTokens)
      deps.log.warn(fields, "an image is smaller than it was ordered");
    if (delivered.outputTokens !== null && delivered.outputTokens !== tokens) {
      deps.log.warn(
        { ...fields, reported: delivered.outputTokens, counted: tokens },
        "the upstream's token count of an image differs from ours",
      );
    }
    const reported =
      delivered.outputTokens === null ? {} : { output_tokens: delivered.outputTokens };
    // One image is delivered, of the size class and quality that were ordered.
    const usage = { ...order.usage, outputTokens: tokens };
    const ended = await deps.ledger.settle({
      operationId: this.id,
      accountId: this.call.principal.accountId,
      amount: chargeOf(usage, order.price.price, order.multiplierPpm),
      usage: settledUsage("image", usage, { ...reported, width, height }),
      outcome: this.outcome(delivered.upstreamRef),
    });
    return chargedAmount(ended);
  }

  noteAnswer(): void {
    this.deps.chooser.report(this.channel, null);
    this.#attempts.answered(this.channel);
  }

  /** Moves on to another channel, or releases the hold and throws: see `channelAfter`. */
  async moveOn(failure: UpstreamFailure, tried: Channel[]): Promise<void> {
    this.#attempts.failed(this.channel, failure);
    this.channel = await channelAfter(this.deps, this.channel, failure, tried, {
      model: this.order.model.id,
      named: { operationId: this.id },
      release: () => releaseAfter(this, failure),
    });
  }
}

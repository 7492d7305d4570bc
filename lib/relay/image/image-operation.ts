/**
 * One image request from its hold to its settlement or release. It ends exactly once, whatever the
 * client does.
 */
import type pg from "pg";
import type { Endpoints } from "../../contract/endpoints";
import type { ImageRequest } from "../../contract/image";
import type { Dialect } from "../../contract/states";
import { newOperationId } from "../../crypto/ids";
import { isOutage } from "../../db/database-errors";
import type { CallOf, Log } from "../../http/serve";
import type { Ledger, Outcome } from "../../ledger/core/verbs";
import type { RunningWork } from "../../limits/running-work";
import type { MediaStore } from "../../media/media-store";
import type { Micropoints } from "../../money/points";
import type { PriceBook } from "../../price-book/price-version";
import { type ImageNote, type ImageSpec, noteImage } from "../../results/image-results";
import { pause } from "../../timing/pause";
import type { Chooser } from "../../upstream/choose";
import type { ImageProvider, ImageResult } from "../../upstream/media-provider";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { Attempts } from "../order/attempts";
import { chargedAmount, chargeOf, settledUsage } from "../order/charge";
import { channelAfter } from "../order/failover";
import { type HeldOrder, releaseAfter } from "../order/hold";
import { type ImagePurchase, orderImage } from "./image-order";
import type { ImageStream } from "./image-stream";
import {
  billOf,
  type Delivered,
  ImageKeeper,
  type KeptImages,
  noteSizes,
  specOf,
  upstreamOrderOf,
} from "./make-image";

type ImageRow = Endpoints["createImage"];
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
  /** How long a stream is silent before its client is told that it goes on. */
  readonly keepAliveMs?: number | undefined;
}

/**
 * Longer than an upstream call and the copy of its result: the sweep must never end work that still
 * runs.
 */
const DEADLINE_SECONDS = 1200;
const NOTE_RETRY_MS = 3000;
const NOTE_TRIES = 200;

export class ImageOperation implements HeldOrder {
  readonly id: string;
  readonly order: ImagePurchase;
  readonly spec: ImageSpec;
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
    /** Null for an answer in one body. */
    readonly stream: ImageStream | null,
  ) {
    this.id = call.idempotency?.operationId ?? newOperationId();
    this.dialect = call.incoming.dialect ?? null;
    this.order = orderImage(request, call.principal, deps.priceBook);
    this.#attempts = new Attempts(deps.chooser, this.id, this.order.model.id);
    this.spec = specOf(this.order, request.ratio ?? null);
  }

  amountsAt(): ImagePurchase {
    return this.order;
  }

  /**
   * Records the image in its owner's list. Nobody pays for the list, so a failure is retried in the
   * background and stops nothing.
   */
  async note(result: ImageNote | null): Promise<void> {
    const { spec } = this;
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

  /** Asks the present channel, whose images `keeper` gets as they come, where they come one by one. */
  generate(keeper: ImageKeeper): Promise<ImageResult> {
    const { order, spec, call, stream } = this;
    const asked = upstreamOrderOf(order.model.id, spec, order.imageUrls, call.rawBody.images);
    const onImage = stream === null ? undefined : keeper.take.bind(keeper);
    this.#attempts.begin();
    const onPartial = stream === null ? undefined : stream.preview.bind(stream);
    return this.deps.imageProvider.generate(this.channel, { ...asked, onImage, onPartial });
  }

  /** What copies the images of the present channel. */
  keeper(): ImageKeeper {
    const { deps, channel, call, stream } = this;
    stream?.restart();
    return new ImageKeeper(deps.media, channel, call.principal.accountId, (item) =>
      stream?.show(item),
    );
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
  async settle(delivered: Delivered, kept: KeptImages): Promise<Micropoints> {
    const { deps, order, spec } = this;
    const named = { operationId: this.id, channelId: this.channel.id };
    noteSizes(deps.log, named, spec, delivered, kept);
    const { usage, reported } = billOf(spec, delivered, kept);
    const ended = await deps.ledger.settle({
      operationId: this.id,
      accountId: this.call.principal.accountId,
      amount: chargeOf(usage, order.price.price, order.multiplierPpm),
      usage: settledUsage("image", usage, reported),
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

/** `POST /v1/images/generations` and `/v1/images/edits`: price → hold → upstream → copy to our store → settle → answer. */
import { imageTokens } from "../../catalog/image-sizes";
import type { AnswerOf } from "../../contract/endpoint";
import { type ImageRequest, imageRequest } from "../../contract/image";
import { RelayError } from "../../errors";
import type { Outgoing } from "../../http/exchange";
import { jsonTextAnswer } from "../../http/serve";
import { type KeptMedia, LINK_SECONDS, type MediaStore } from "../../media/media-store";
import { pointsNumber } from "../../points";
import { findPaidImage } from "../../results/image-results";
import { imageOfOperation } from "../../results/ordered-images";
import type { Channel } from "../../upstream/provider";
import { abandonHold, openHold, releaseHold } from "../order/hold";
import { setIgnoredFieldsHeader } from "../order/ignored-fields";
import type { TaskDeps } from "../order/task-deps";
import { type ImageCall, type ImageDeps, ImageOperation, type ImageRow } from "./image-operation";
import { accepted, assertWaitsForNothing, isForLater, orderImageTask } from "./image-task";
import { imageViewOf, openedViewOf } from "./image-view";
import { type Delivered, sizeOfKept } from "./make-image";

/** The first image that a channel delivers. Releases the hold and throws when none does. */
async function obtain(operation: ImageOperation): Promise<Delivered> {
  for (const tried: Channel[] = []; ; ) {
    const result = await operation.generate();
    if (result.isOk) {
      operation.deps.chooser.report(operation.channel, null);
      return result;
    }
    await operation.moveOn(result.failure, tried);
  }
}

/**
 * Copies the image into our store. Releases the hold and throws when it cannot: only a stored image
 * is charged.
 */
async function copy(operation: ImageOperation, delivered: Delivered): Promise<KeptMedia> {
  try {
    return await operation.keep(delivered);
  } catch (error) {
    const { deps, channel } = operation;
    const fields = {
      alarm: "result_lost",
      operationId: operation.id,
      channelId: channel.id,
      err: error,
    };
    deps.log.error(fields, "an image was made but could not be copied");
    await releaseHold(
      operation,
      "upstream_bad_response",
      { failure: "result_lost" },
      delivered.upstreamRef,
    );
    throw new RelayError("upstream_bad_response", {
      message: "The upstream's image could not be fetched. Nothing was charged.",
    });
  }
}

interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly createdAt: number;
  readonly expiresAt: Date;
}

/** The text of the answer. Rejects when it should contain the file and the file cannot be read. */
async function bodyOf(
  media: MediaStore,
  request: ImageRequest,
  stored: StoredFile,
): Promise<string> {
  const { file, width, height } = stored;
  let image: { url: string } | { b64_json: string };
  if (request.response_format === "b64_json") {
    const parts: Uint8Array[] = [];
    for await (const part of await media.read(file, 0, stored.bytes)) parts.push(part);
    image = { b64_json: Buffer.concat(parts).toString("base64") };
  } else image = { url: media.link(file, stored.expiresAt) };
  const tokens = imageTokens(width, height);
  const answer: AnswerOf<ImageRow> = {
    created: Math.floor(stored.createdAt / 1000),
    model: request.model,
    data: [{ ...image, size: `${width}x${height}` }],
    usage: { generated_images: 1, output_tokens: tokens, total_tokens: tokens },
  };
  return JSON.stringify(answer);
}

/**
 * The answer for an image that an earlier attempt of this request was charged for, made from its
 * stored file.
 */
async function answerAgain(
  { pool, media }: ImageDeps,
  call: ImageCall,
  operationId: string,
): Promise<Outgoing> {
  const paid = await findPaidImage(pool, operationId);
  if (paid === null) {
    const message =
      "The image was created and charged, but its file is no longer stored. Use a new Idempotency-Key for a new image.";
    throw new RelayError("idempotency_finished", { message });
  }
  call.headers["x-relay-points"] = String(pointsNumber(paid.amount));
  return jsonTextAnswer(
    call,
    await bodyOf(media, call.body, { ...paid, createdAt: paid.settledAt.getTime() }),
  );
}

async function complete(operation: ImageOperation): Promise<Outgoing> {
  const { deps, call, request } = operation;
  const noted = operation.note(null);
  const delivered = await obtain(operation).finally(() => {
    call.rawBody.releaseImages();
    return noted;
  });
  const kept = await copy(operation, delivered);
  const size = sizeOfKept(kept);
  const now = Date.now();
  const expiresAt = new Date(now + LINK_SECONDS * 1000);
  await operation.note({ mediaId: kept.mediaId, expiresAt });
  const stored: StoredFile = {
    file: kept.file,
    bytes: kept.bytes,
    ...size,
    createdAt: now,
    expiresAt,
  };
  const body = await bodyOf(deps.media, request, stored).catch(async (error: unknown) => {
    await releaseHold(
      operation,
      "internal_error",
      { failure: "result_lost" },
      delivered.upstreamRef,
    );
    throw error;
  });
  if (call.idempotency && !(await call.idempotency.keep(body))) {
    await releaseHold(operation, "taken_over", { failure: "taken_over" }, delivered.upstreamRef);
    throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });
  }
  const amount = await operation.settle(delivered, size);
  call.headers["x-relay-points"] = String(pointsNumber(amount));
  return jsonTextAnswer(call, body);
}

/** The answer to an order that nobody waits for: the image as it is now. */
async function answerLater(deps: ImageDeps, tasks: TaskDeps, call: ImageCall): Promise<Outgoing> {
  const { idempotency } = call;
  const earlier = idempotency?.isResumed
    ? await imageOfOperation(deps.pool, idempotency.operationId)
    : undefined;
  if (earlier !== undefined) return accepted(call, imageViewOf(earlier, deps.media));
  const { model } = call.body;
  return accepted(call, openedViewOf({ ...(await orderImageTask(deps, tasks, call)), model }));
}

/**
 * The use case of the endpoints. It ends every operation that it opened, also when the client has
 * gone.
 */
export function createImages(
  deps: ImageDeps,
  tasks: TaskDeps,
): (call: ImageCall) => Promise<Outgoing> {
  return async (call) => {
    if (isForLater(call)) {
      setIgnoredFieldsHeader(call.body, imageRequest.shape, call.headers);
      return answerLater(deps, tasks, call);
    }
    assertWaitsForNothing(call);
    if (call.idempotency?.isResumed) return answerAgain(deps, call, call.idempotency.operationId);
    const request = call.body;
    setIgnoredFieldsHeader(request, imageRequest.shape, call.headers);
    await deps.running.enter(call.principal);
    try {
      const operation = new ImageOperation(deps, call, request);
      call.incoming.onGone(() => {
        operation.isAbandoned = true;
      });
      await openHold(operation);
      if (operation.isAbandoned) await abandonHold(operation);
      return await complete(operation);
    } finally {
      deps.running.leave(call.principal);
    }
  };
}

/** `POST /v1/images/generations` and `/v1/images/edits`: price → hold → upstream → copy to our store → settle → answer. */
import { findVirtual } from "../../catalog/virtual-models";
import type { ImageRequest } from "../../contract/image";
import { RelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { jsonTextAnswer } from "../../http/serve";
import { streamHeaders } from "../../http/stream-headers";
import { LINK_SECONDS } from "../../media/media-store";
import { pointsNumber } from "../../money/points";
import { findPaidImages } from "../../results/image-results";
import { imageOfOperation } from "../../results/ordered-images";
import type { Channel } from "../../upstream/provider";
import { servingOf } from "../order/buy-task";
import { orderFirst } from "../order/chosen-model";
import { abandonHold, openHold, releaseHold } from "../order/hold";
import { setIgnoredFieldsHeader } from "../order/ignored-fields";
import type { TaskDeps } from "../order/task-deps";
import { answerAlive } from "./alive-stream";
import { answerText, askedBy, type StoredImages } from "./image-answer";
import { type ImageCall, type ImageDeps, ImageOperation } from "./image-operation";
import { refuseModel } from "./image-order";
import { knownFields } from "./image-settings";
import { ImageStream } from "./image-stream";
import { accepted, assertAnswerable, isForLater, orderImageTask } from "./image-task";
import { imageViewOf, openedViewOf } from "./image-view";
import { type Delivered, type ImageKeeper, type KeptImages, lostBy } from "./make-image";

/** What a channel delivered, and what copies it. */
interface Obtained {
  readonly delivered: Delivered;
  readonly keeper: ImageKeeper;
}

/** The first images that a channel delivers. Releases the hold and throws when none does. */
async function obtain(operation: ImageOperation): Promise<Obtained> {
  for (const tried: Channel[] = []; ; ) {
    const keeper = operation.keeper();
    const result = await operation.generate(keeper);
    if (result.isOk) {
      operation.noteAnswer();
      return { delivered: result, keeper };
    }
    await operation.moveOn(result.failure, tried);
  }
}

/**
 * Copies the image into our store. Releases the hold and throws when it cannot: only a stored image
 * is charged.
 */
async function copy(
  operation: ImageOperation,
  { delivered, keeper }: Obtained,
): Promise<KeptImages> {
  try {
    return await keeper.all(delivered);
  } catch (error) {
    const { deps, channel } = operation;
    const fields = {
      alarm: "result_lost",
      operationId: operation.id,
      channelId: channel.id,
      err: error,
    };
    deps.log.error(fields, "an image was made but could not be copied");
    const code = lostBy(error);
    await releaseHold(operation, code, { failure: "result_lost" }, delivered.upstreamRef);
    const message =
      code === "internal_error"
        ? "The image was made, but could not be stored. Nothing was charged."
        : "The upstream's image could not be fetched. Nothing was charged.";
    throw new RelayError(code, { message });
  }
}

/**
 * The answer for images that an earlier attempt of this request was charged for, made from its
 * stored files.
 */
async function answerAgain(
  { pool, media }: ImageDeps,
  call: ImageCall,
  operationId: string,
): Promise<Outgoing> {
  const paid = await findPaidImages(pool, operationId);
  if (paid === null) {
    const message =
      "The image was created and charged, but its file is no longer stored. Use a new Idempotency-Key for a new image.";
    throw new RelayError("idempotency_finished", { message });
  }
  call.headers["x-relay-points"] = String(pointsNumber(paid.amount));
  const stored = { ...paid, createdAt: paid.settledAt.getTime() };
  const { body } = call;
  const model = findVirtual(body.model) === undefined ? body.model : paid.model;
  const asked = askedBy({ ...call, body: { ...body, model } });
  const answer = jsonTextAnswer(call, await answerText(media, asked, stored));
  if (call.body.stream === true) Object.assign(answer.headers, streamHeaders);
  return answer;
}

function storedOf({ files, items }: KeptImages, createdAt: number, expiresAt: Date): StoredImages {
  const shown = items.flatMap((item): StoredImages["items"] => {
    if ("error" in item) return [item];
    const file = files.find(({ mediaId }) => mediaId === item.media);
    return file ? [file] : [];
  });
  return { items: shown, createdAt, expiresAt };
}

/** The last part of an answer's text, which is charged: all of it, unless it is a stream. */
interface Made {
  readonly text: string;
}

async function complete(operation: ImageOperation): Promise<Made> {
  const { deps, call, stream } = operation;
  const noted = operation.note(null);
  const obtained = await obtain(operation).finally(() => {
    call.rawBody.releaseImages();
    return noted;
  });
  const kept = await copy(operation, obtained);
  const { delivered } = obtained;
  const now = Date.now();
  const expiresAt = new Date(now + LINK_SECONDS * 1000);
  await operation.note({ items: kept.items, expiresAt });
  const stored = storedOf(kept, now, expiresAt);
  const release = (reason: string, failure: string) =>
    releaseHold(operation, reason, { failure }, delivered.upstreamRef);
  const whole = () =>
    answerText(deps.media, askedBy(call), stored).catch(async (error: unknown) => {
      await release("internal_error", "result_lost");
      throw error;
    });
  const end = stream?.end(stored) ?? { text: await whole() };
  const body = "whole" in end ? end.whole : end.text;
  if (call.idempotency && !(await call.idempotency.keep(body))) {
    await release("taken_over", "taken_over");
    throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });
  }
  const amount = await operation.settle(delivered, kept);
  call.headers["x-relay-points"] = String(pointsNumber(amount));
  return end;
}

const orderingOf = (choosing: ImageDeps, { body: request, principal }: ImageCall) =>
  ({ family: "image", request, principal, choosing, refuse: refuseModel }) as const;

/** The call with the order for one model. */
function callFor(call: ImageCall, request: ImageRequest): ImageCall {
  setIgnoredFieldsHeader(request, knownFields(request.model), call.headers);
  return { ...call, body: request };
}

/** One order from its hold to its end, whatever its client does meanwhile. */
async function make(deps: ImageDeps, call: ImageCall, stream: ImageStream | null): Promise<Made> {
  const operation = await orderFirst(orderingOf(deps, call), call, async (request) => {
    const ordered = new ImageOperation(deps, callFor(call, request), request, stream);
    call.incoming.onGone(() => {
      ordered.isAbandoned = true;
    });
    deps.media.assertTakes();
    await openHold(ordered);
    return ordered;
  });
  if (stream !== null) stream.asked = askedBy(operation.call);
  if (operation.isAbandoned) await abandonHold(operation);
  return complete(operation);
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
    assertAnswerable(call);
    if (isForLater(call))
      return orderFirst(orderingOf(deps, call), servingOf(tasks, call), (request) =>
        answerLater(deps, tasks, callFor(call, request)),
      );
    if (call.idempotency?.isResumed) return answerAgain(deps, call, call.idempotency.operationId);
    await deps.running.enter(call.principal);
    const isKept = call.idempotency !== undefined;
    const stream = call.body.stream ? new ImageStream(deps.media, askedBy(call), isKept) : null;
    const made = make(deps, call, stream).finally(() => {
      deps.running.leave(call.principal);
      // A stream may have begun: nobody else frees its body then.
      if (stream !== null) call.rawBody.release();
    });
    if (stream !== null) return answerAlive(call.headers, stream.waiting, made, deps.keepAliveMs);
    return jsonTextAnswer(call, (await made).text);
  };
}

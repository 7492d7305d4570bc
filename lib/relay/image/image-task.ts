/**
 * Images that nobody waits for: the order is answered at once, and its task is the same state machine
 * as a video's. The upstream makes an image within one call, so a task has no state between its
 * intent and its end: a process that dies during the call leaves a task that is never sent again.
 * What no process had sent is sent by the next one, unless its pictures came inside the request.
 *
 * | status, submit_state | the client got | if its process dies |
 * | --- | --- | --- |
 * | queued, none | nothing, or 202 | another one sends it, or releases it (`order_interrupted`) |
 * | running, intent | 202 | released with a loss: the upstream may have made it |
 * | succeeded | the image, by its key or its link | nothing |
 * | failed · cancelled · expired | the failure | nothing |
 */

import type { ImageRequest } from "../../contract/image";
import type { ImageTaskView } from "../../contract/image-task";
import { isRelayError, RelayError } from "../../failures/relay-error";
import type { Incoming, Outgoing } from "../../http/exchange";
import type { Call } from "../../http/serve";
import { type ImageSpec, storedItems } from "../../results/image-results";
import { imageOfOperation } from "../../results/ordered-images";
import { pause } from "../../timing/pause";
import { resolvers } from "../../timing/resolvers";
import type { Channel } from "../../upstream/provider";
import { buyTask } from "../order/buy-task";
import { chargeOf, settledUsage } from "../order/charge";
import { endLost, expire, interrupted, outcomeOf, releaseTask } from "../order/release-task";
import { sendTask } from "../order/send-task";
import type { Advance, TaskDeps } from "../order/task-deps";
import type { ImageTaskRow, OpenTask } from "../order/task-row";
import type { ImageCall, ImageDeps } from "./image-operation";
import { orderImage } from "./image-order";
import { imageViewOf } from "./image-view";
import {
  billOf,
  type Delivered,
  ImageKeeper,
  lostBy,
  noteSizes,
  specOf,
  upstreamOrderOf,
} from "./make-image";

/** The part of a process that makes the images of tasks. */
export type ImageMaker = Pick<ImageDeps, "media" | "imageProvider">;

type Pictures = Pick<ReturnType<typeof upstreamOrderOf>, "imageUrls" | "inlineImages">;

const SETTLE_RETRY_MS = 1000;
/** How long a made image waits in memory for a database that is away. */
const SETTLE_PATIENCE_MS = 3600_000;

/** Repeats what the database could not do for now. */
async function untilWritten<T>(write: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + SETTLE_PATIENCE_MS; ; await pause(SETTLE_RETRY_MS)) {
    try {
      return await write();
    } catch (error) {
      const isAway = isRelayError(error) && error.code === "database_unavailable";
      if (!isAway || performance.now() > until) throw error;
    }
  }
}

/** Copies the image first, then charges the hold and marks the task as succeeded. */
async function settleImage(
  maker: ImageMaker,
  deps: TaskDeps,
  { task, spec }: { readonly task: OpenTask; readonly spec: ImageSpec },
  channel: Channel,
  delivered: Delivered,
): Promise<void> {
  const { operationId, accountId } = task;
  const fields = { taskId: task.id, operationId, channelId: channel.id };
  const keeper = new ImageKeeper(maker.media, channel, accountId);
  const kept = await keeper.all(delivered).catch(async (err) => {
    deps.log.error(
      { alarm: "result_lost", ...fields, err },
      "an image was made but could not be copied",
    );
    const failing = { status: "failed", code: lostBy(err), lossCause: "usage_missing" } as const;
    await untilWritten(() => releaseTask(deps, task, failing));
    return null;
  });
  if (kept === null) return;
  noteSizes(deps.log, fields, spec, delivered, kept);
  const { usage, reported } = billOf(spec, delivered, kept);
  const { mediaId, items } = storedItems(kept.items);
  const ended = await untilWritten(async () => {
    const { price, multiplierPpm } = await deps.table.priceOf(operationId);
    const request = {
      operationId,
      accountId,
      amount: chargeOf(usage, price, multiplierPpm),
      usage: settledUsage("image", usage, reported),
      outcome: outcomeOf(task),
    };
    const [{ width, height }] = kept.files;
    const facts = { width, height, ...(items && { items }) };
    const success = { mediaId, outputTokens: usage.outputTokens, facts };
    return deps.ledger.settleTask(request, success);
  });
  if (ended.outcome === "released")
    deps.log.error(
      { alarm: "late_success", ...fields },
      "an image was ready after its points were given back",
    );
}

/** Has the image made, copied and charged. Throws after the task was released. */
async function makeImage(
  maker: ImageMaker,
  deps: TaskDeps,
  ordered: { readonly task: OpenTask; readonly spec: ImageSpec; readonly pictures: Pictures },
  first: Channel,
  claim: string | null,
): Promise<void> {
  const { task, spec, pictures } = ordered;
  const { imageUrls, inlineImages } = pictures;
  const asked = upstreamOrderOf(task.model, spec, imageUrls, inlineImages);
  const { channel, sent } = await sendTask(deps, task, claim, first, async (each) => {
    // Only whoever asks how far it is needs this.
    await deps.table.noteRunning(task.id).catch(() => {});
    return maker.imageProvider.generate(each, asked);
  });
  const made = { ...task, channelId: channel.id, upstreamRef: sent.upstreamRef };
  await settleImage(maker, deps, { task: made, spec }, channel, sent);
}

/** The addresses of the pictures of a task that nobody sent; null when they came with the request. */
function storedPictures({ imageUrls }: ImageTaskRow): readonly string[] | null {
  return imageUrls.some((url) => url.startsWith("data:")) ? null : imageUrls;
}

/**
 * Takes an image's task that no process works on one step: sends what was never sent, and ends what
 * may have been. Rejects with `database_unavailable`.
 */
export async function advanceImageTask(
  maker: ImageMaker,
  deps: TaskDeps,
  task: ImageTaskRow,
): Promise<Advance> {
  if (task.submitState !== "none") return endLost(deps, task);
  const imageUrls = storedPictures(task);
  if (imageUrls === null) {
    await releaseTask(deps, task, interrupted);
    return "ended";
  }
  if (task.ageSeconds > deps.times.lifeSeconds) return expire(deps, task, null);
  const channel = await deps.chooser.pick(task.model, []);
  try {
    await makeImage(maker, deps, { task, spec: task.spec, pictures: { imageUrls } }, channel, null);
  } catch (error) {
    // The task has ended with this error, or is looked at again.
    if (!isRelayError(error)) throw error;
    deps.log.warn({ taskId: task.id, code: error.code }, "an image's task has failed");
  }
  return "ended";
}

/** What the worker and the callbacks need of the tasks of images. */
export function imageTasks(maker: ImageMaker & Pick<ImageDeps, "pool">) {
  return {
    advance: (deps: TaskDeps, task: ImageTaskRow) => advanceImageTask(maker, deps, task),
    async body(operationId: string): Promise<ImageTaskView | null> {
      const image = await imageOfOperation(maker.pool, operationId);
      return image === undefined ? null : imageViewOf(image, maker.media);
    },
  };
}

const APPLIED = "preference-applied";
const RESPOND_ASYNC = "respond-async";

/** An order of images with the headers that came with it. */
interface SentOrder {
  readonly body: Pick<ImageRequest, "async" | "callback_url" | "stream" | "response_format">;
  readonly incoming: Pick<Incoming, "header">;
}

/** Whether the client does not want to wait: what the body says counts, and else the header. */
export const isForLater = ({ body, incoming }: SentOrder): boolean =>
  body.async ??
  (incoming.header("prefer") ?? "")
    .split(/[,;]/)
    .some((each) => each.trim().toLowerCase() === RESPOND_ASYNC);

/** The answer to an order that nobody waits for. */
export function accepted(call: Pick<Call, "headers">, image: { readonly id: string }): Outgoing {
  call.headers[APPLIED] = RESPOND_ASYNC;
  call.headers.location = `/v1/images/generations/${image.id}`;
  call.headers["content-type"] = "application/json";
  return { status: 202, headers: call.headers, body: JSON.stringify(image) };
}

function assertNoCallback({ callback_url: callback }: SentOrder["body"]): void {
  if (typeof callback !== "string") return;
  const message =
    "`callback_url` is for an image that nobody waits for: send `async` true with it, or omit it.";
  throw new RelayError("unsupported_value", { message, param: "callback_url" });
}

function assertLink(body: SentOrder["body"]): void {
  if (body.stream === true)
    throw new RelayError("unsupported_value", {
      message: "`stream` is true: an image that nobody waits for has no stream. Omit it.",
      param: "stream",
    });
  if (body.response_format !== "b64_json") return;
  const message =
    '`response_format` is "b64_json": an image that nobody waits for is got by its link. Omit it or send "url".';
  throw new RelayError("unsupported_value", { message, param: "response_format" });
}

/**
 * Throws for a callback of an image that the call itself waits for, and for what only an answer has
 * that is waited for.
 */
export const assertAnswerable = (order: SentOrder): void =>
  isForLater(order) ? assertLink(order.body) : assertNoCallback(order.body);

/**
 * Opens the task of an image and starts it. Resolves as soon as the task exists; it goes on after
 * the answer, and counts as running work until its end.
 */
export async function orderImageTask(
  { media, imageProvider, running }: ImageDeps,
  deps: TaskDeps,
  call: ImageCall,
): Promise<OpenTask & { readonly spec: ImageSpec }> {
  const { body, incoming, principal, rawBody } = call;
  const order = orderImage(body, principal, deps.priceBook);
  const spec = specOf(order, body.ratio ?? null);
  const { imageUrls } = order;
  const { callback_url: callbackUrl, callback_states: callbackStates } = body;
  const bought = {
    ...order,
    modelNamed: body.model,
    spec: { ...spec, ...(callbackStates && { callbackStates }) },
    images: imageUrls,
    callbackUrl: callbackUrl ?? null,
    dialect: incoming.dialect ?? null,
    assertStored: () => media.assertTakes(),
  };
  await running.enter(principal);
  const letGo = rawBody.hold();
  const opened = resolvers<OpenTask>();
  let isOpened = false;
  const pictures = { imageUrls, inlineImages: rawBody.images };
  void buyTask(deps, call, bought, (task, channel, claim) => {
    isOpened = true;
    opened.resolve(task);
    return makeImage({ media, imageProvider }, deps, { task, spec, pictures }, channel, claim);
  })
    .catch((error: unknown) => {
      if (!isOpened) return opened.reject(error);
      deps.log.warn({ requestId: call.requestId, err: error }, "an image's task has failed");
    })
    .finally(() => {
      letGo();
      running.leave(principal);
    });
  return { ...(await opened.promise), spec };
}

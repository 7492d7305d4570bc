/** Writes the images and videos, step by step at their times. */
import { imageTokens } from "@/lib/catalog/image-sizes";
import { findModel } from "@/lib/catalog/models";
import { videoTokens, videoTokensMax } from "@/lib/catalog/video-sizes";
import { newId } from "@/lib/ids";
import { priceOf } from "@/lib/pricing/price";
import { chargeOf, holdAmountOf } from "@/lib/relay/order/charge";
import { defaultVideoTimes } from "@/lib/relay/video/video-deps";
import { noteImage } from "@/lib/results/image-results";
import type { ImageOrder, VideoOrder } from "./orders";
import { linkEnd, pixelsOf, type ResultFiles } from "./result-files";
import {
  type HeldOrder,
  holdRequest,
  keyOf,
  lossOf,
  noteHealth,
  outcomeOf,
  upstreamRefOf,
} from "./write-orders";
import type { Writing } from "./writing";

const IMAGE_DEADLINE_SECONDS = 1200;
const VIDEO_DEADLINE_SECONDS = defaultVideoTimes.lifeSeconds + 24 * 3600;
const LEASE_SECONDS = 60;
const SUBMIT_MS = 900;
const POLL_MS = defaultVideoTimes.pollSeconds * 1000;

const specOf = ({ prompt, width, height, ratio }: ImageOrder) => ({
  prompt,
  width,
  height,
  ratio,
  seed: null,
  pictures: [],
});

async function endImage(
  writing: Writing,
  files: ResultFiles,
  image: HeldOrder<ImageOrder>,
): Promise<void> {
  const { order, accountId, operationId, sold } = image;
  const { ledger, pool, clock } = writing.demo;
  if (order.failure !== null) {
    const outcome = outcomeOf(writing, order, null);
    const reason = order.failure;
    await ledger.release({ operationId, accountId, reason, loss: lossOf(image), outcome });
  } else {
    const mediaId = await files.store(order);
    const result = { mediaId, expiresAt: linkEnd(clock.now()) };
    await noteImage(pool, { operationId, spec: specOf(order) }, result);
    const { width, height } = order;
    const usage = { inputTokens: 0, outputTokens: imageTokens(width, height) };
    await ledger.settle({
      operationId,
      accountId,
      amount: chargeOf(usage, sold.price.price, sold.multiplierPpm),
      usage: { ...usage, reported: { output_tokens: usage.outputTokens, width, height } },
      outcome: outcomeOf(writing, order, null),
    });
  }
  noteHealth(writing, order);
}

async function openImage(writing: Writing, files: ResultFiles, order: ImageOrder): Promise<void> {
  const apiKeyId = keyOf(writing, order);
  if (apiKeyId === undefined) return;
  const { ledger, pool } = writing.demo;
  const { accountId } = writing.person(order.person.email);
  const sold = writing.priced(accountId, order.model);
  const outputTokens = imageTokens(order.width, order.height);
  const holdAmount = holdAmountOf({ inputTokens: 0, outputTokens }, sold);
  const request = holdRequest(writing, order, apiKeyId, sold, {
    quoteAmount: holdAmount,
    holdAmount,
    holdAmountMin: holdAmount,
    deadlineSeconds: IMAGE_DEADLINE_SECONDS,
  });
  const held = await ledger.openHold(request);
  if (held.result !== "held") return;
  const { operationId } = request;
  await noteImage(pool, { operationId, spec: specOf(order) }, null);
  const image = { order, accountId, operationId, sold, held: held.amount };
  writing.timeline.add(order.at + order.durationMs, () => endImage(writing, files, image));
}

interface HeldVideo extends HeldOrder<VideoOrder> {
  readonly taskId: string;
  readonly upstreamRef: string;
  readonly tokens: number;
}

/** Answers to callbacks come before the next step. */
async function answerCallbacks(writing: Writing, { order, taskId }: HeldVideo): Promise<void> {
  if (order.callbackUrl === null) return;
  const isLost = writing.given.random.chance(0.04);
  await writing.demo.pool.query(
    isLost
      ? `update callback_delivery set attempts = 8, given_up_at = now() + interval '1 hour',
           last_answer = '503' where task_id = $1 and delivered_at is null and given_up_at is null`
      : `update callback_delivery set attempts = 1, delivered_at = now(), last_answer = '204'
           where task_id = $1 and delivered_at is null and given_up_at is null`,
    [taskId],
  );
}

async function endVideo(writing: Writing, files: ResultFiles, video: HeldVideo): Promise<void> {
  const { order, accountId, operationId, sold, taskId, upstreamRef, tokens } = video;
  const { ledger, pool } = writing.demo;
  const outcome = outcomeOf(writing, order, upstreamRef);
  await pool.query("update video_task set polls = $2 where id = $1", [
    taskId,
    Math.max(1, Math.min(400, Math.round(order.durationMs / POLL_MS))),
  ]);
  if (order.ending === "succeeded") {
    const mediaId = await files.store(order);
    const usage = { inputTokens: 0, outputTokens: tokens };
    const { resolution, ratio, durationSeconds, seed } = order.spec;
    const reported = { completion_tokens: tokens, total_tokens: tokens };
    const facts = { resolution, ratio, durationSeconds, framesPerSecond: 24, seed };
    const amount = chargeOf(usage, sold.price.price, sold.multiplierPpm);
    const settled = { operationId, accountId, amount, usage: { ...usage, reported }, outcome };
    await ledger.settleTask(settled, { mediaId, outputTokens: tokens, facts });
  } else if (order.ending !== "open") {
    const code = order.failure ?? "upstream_failed";
    const released = { operationId, accountId, reason: code, loss: lossOf(video), outcome };
    await ledger.releaseTask(released, { status: order.ending, errorCode: code });
  }
  await answerCallbacks(writing, video);
}

/** The steps after the order: submitted, running, ended. */
function followVideo(writing: Writing, files: ResultFiles, video: HeldVideo): void {
  const { order, taskId, upstreamRef } = video;
  const { timeline, demo } = writing;
  timeline.add(order.at + SUBMIT_MS, async () => {
    const channel = writing.channel(order.channel);
    await demo.tasks.noteIntent(taskId, channel, true, null);
    await demo.tasks.noteAccepted(taskId, upstreamRef, 1);
    noteHealth(writing, order);
    if (order.pollFailures > 0)
      await demo.pool.query(
        "update video_task set poll_failures = $2, polls = $2 + 3 where id = $1",
        [taskId, order.pollFailures],
      );
  });
  if (order.queuedMs !== null)
    timeline.add(order.at + order.queuedMs, () => demo.tasks.noteRunning(taskId));
  if (order.ending !== "open")
    timeline.add(order.at + order.durationMs, () => endVideo(writing, files, video));
}

/** The reference tells the demo's upstream how the task continues while the demo is running. */
function openRef(order: VideoOrder): string {
  if (order.ending !== "open") return upstreamRefOf(order);
  const state = order.pollFailures > 0 ? "silent" : order.queuedMs === null ? "queued" : "running";
  return `demo-${state}-${upstreamRefOf(order)}`;
}

async function openVideo(writing: Writing, files: ResultFiles, order: VideoOrder): Promise<void> {
  const apiKeyId = keyOf(writing, order);
  const model = findModel(order.model);
  if (apiKeyId === undefined || model?.family !== "video") return;
  const { ledger, tasks } = writing.demo;
  const { accountId } = writing.person(order.person.email);
  const sold = writing.priced(accountId, order.model);
  const { resolution, durationSeconds } = order.spec;
  const tokens = videoTokens(pixelsOf(order), durationSeconds);
  const mostTokens = videoTokensMax(resolution, durationSeconds);
  const holdAmount = holdAmountOf({ inputTokens: 0, outputTokens: mostTokens }, sold);
  const usage = { inputTokens: 0, outputTokens: tokens };
  const request = holdRequest(writing, order, apiKeyId, sold, {
    quoteAmount: priceOf(usage, sold.price.price, sold.multiplierPpm),
    holdAmount,
    holdAmountMin: holdAmount,
    deadlineSeconds: VIDEO_DEADLINE_SECONDS,
  });
  const taskId = newId("task", order.at);
  const held = await ledger.openTask(request, {
    taskId,
    modelNamed: model.alias,
    spec: order.spec,
    imageUrls: { firstFrameUrl: null, referenceImageUrls: [] },
    callbackUrl: order.callbackUrl,
    leaseOwner: tasks.owner,
    leaseSeconds: LEASE_SECONDS,
  });
  if (held.result !== "held") return;
  const { operationId } = request;
  const known = { order, accountId, operationId, sold, held: held.amount };
  followVideo(writing, files, { ...known, taskId, tokens, upstreamRef: openRef(order) });
}

/** Adds the orders to the timeline. */
export function addResults(
  writing: Writing,
  files: ResultFiles,
  orders: readonly (ImageOrder | VideoOrder)[],
): void {
  for (const order of orders)
    writing.timeline.add(order.at, () =>
      order.family === "image"
        ? openImage(writing, files, order)
        : openVideo(writing, files, order),
    );
}

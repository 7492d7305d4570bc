/**
 * Video tasks in Ark's wire format, which Ark, its resellers and other instances of this product
 * use.
 */

import { isTaskOpen } from "../../contract/states";
import { failureOf } from "../failure";
import type { CancelResult, ReadResult, VideoOrder, VideoProvider } from "../media-provider";
import type { Channel, JsonObject } from "../provider";
import { modelCodes } from "../transport/error-codes";
import type { JsonCaller } from "../transport/json-caller";
import { failureOfOrder } from "../transport/media-failure";
import { readTask } from "./task-state";

const TASKS = "/contents/generations/tasks";
const limits = { deadlineMs: 60_000, answerBytesMax: 1024 * 1024 };
/** Safe to store and to use in a path. */
const reference = /^[A-Za-z0-9][\w.:~-]{0,127}$/;

function bodyOf(channel: Channel, order: VideoOrder): JsonObject {
  const image = (url: string, role: string) => ({ type: "image_url", image_url: { url }, role });
  return {
    model: channel.models[order.model] ?? order.model,
    content: [
      ...(order.prompt === "" ? [] : [{ type: "text", text: order.prompt }]),
      ...(order.firstFrameUrl === null ? [] : [image(order.firstFrameUrl, "first_frame")]),
      ...order.referenceImageUrls.map((url) => image(url, "reference_image")),
    ],
    // Upstreams have other defaults than we do, so every parameter that affects the price or the
    // result is sent.
    resolution: order.resolution,
    ratio: order.ratio,
    duration: order.durationSeconds,
    generate_audio: order.generateAudio,
    watermark: order.watermark,
    ...(order.seed === null ? {} : { seed: order.seed }),
    ...(order.cameraFixed === null ? {} : { camera_fixed: order.cameraFixed }),
  };
}

/**
 * True when the upstream says that the task does not exist, rather than that the address or the
 * model is wrong.
 */
function isGone(status: number, errorCode: string): boolean {
  return (
    (status === 404 || status === 410) &&
    errorCode !== "" &&
    errorCode !== "route_not_found" &&
    !modelCodes.test(errorCode)
  );
}

export function createArkVideo(caller: JsonCaller): VideoProvider {
  async function read(channel: Channel, upstreamRef: string): Promise<ReadResult> {
    const answer = await caller.call(channel, {
      method: "GET",
      path: `${TASKS}/${encodeURIComponent(upstreamRef)}`,
      ...limits,
    });
    if (!answer.isOk)
      return {
        isOk: false,
        isGone: isGone(answer.status, answer.errorCode),
        failure: answer.failure,
      };
    const state = readTask(answer.body);
    if (state) return { isOk: true, state };
    const failure = failureOf("upstream_bad_response", "not a task, or finished without a video", {
      mayHaveCost: true,
    });
    return { isOk: false, isGone: false, failure };
  }

  function placeOf(result: ReadResult): CancelResult | "queued" {
    if (!result.isOk) return "unknown";
    const { status } = result.state;
    return isTaskOpen(status) || status === "cancelled" ? status : "ended";
  }

  return {
    read,
    async submit(channel, order) {
      const body = bodyOf(channel, order);
      const { inlineImages, clientReference } = order;
      const answer = await caller.call(channel, {
        method: "POST",
        path: TASKS,
        body,
        inlineImages,
        reference: clientReference,
        ...limits,
      });
      if (!answer.isOk) return answer;
      const id = answer.body?.id ?? answer.body?.task_id;
      if (typeof id === "string" && reference.test(id)) return { isOk: true, upstreamRef: id };
      const errorMember = answer.body?.error;
      if (errorMember === undefined || errorMember === null)
        return {
          isOk: false,
          failure: failureOf("upstream_bad_response", "no task id", { mayHaveCost: true }),
        };
      return { isOk: false, failure: failureOfOrder(errorMember) };
    },
    async cancel(channel, upstreamRef) {
      // A delete of a finished task removes its record and gets the same answer as a cancel. So
      // only a queued task may be deleted.
      const before = placeOf(await read(channel, upstreamRef));
      if (before !== "queued") return before;
      const path = `${TASKS}/${encodeURIComponent(upstreamRef)}`;
      const answer = await caller.call(channel, { method: "DELETE", path, ...limits });
      const after = await read(channel, upstreamRef);
      // Some upstreams forget a cancelled task.
      if (answer.isOk && !after.isOk && after.isGone) return "cancelled";
      const place = placeOf(after);
      return place === "queued" ? (answer.isOk ? "unknown" : "running") : place;
    },
  };
}

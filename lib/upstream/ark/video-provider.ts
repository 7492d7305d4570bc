/**
 * Video tasks in Ark's wire format, which Ark, its resellers and other instances of this product
 * use.
 */

import { failureOf } from "../failure";
import type { ReadResult, VideoOrder, VideoProvider } from "../media-provider";
import type { Channel, JsonObject } from "../provider";
import type { JsonCaller } from "../transport/json-caller";
import { cancelQueued, isTaskGone, submittedTask } from "../transport/video-tasks";
import { readTask } from "./task-state";

const TASKS = "/contents/generations/tasks";
const limits = { deadlineMs: 60_000, answerBytesMax: 1024 * 1024 };

const image = (url: string, role: string) => ({ type: "image_url", image_url: { url }, role });

function contentOf(order: VideoOrder): JsonObject[] {
  const { referenceVideoUrls: videos = [], referenceAudioUrls: audios = [] } = order;
  return [
    ...(order.prompt === "" ? [] : [{ type: "text", text: order.prompt }]),
    ...(order.firstFrameUrl === null ? [] : [image(order.firstFrameUrl, "first_frame")]),
    ...(order.lastFrameUrl ? [image(order.lastFrameUrl, "last_frame")] : []),
    ...order.referenceImageUrls.map((url) => image(url, "reference_image")),
    ...videos.map((url) => ({ type: "video_url", video_url: { url }, role: "reference_video" })),
    ...audios.map((url) => ({ type: "audio_url", audio_url: { url }, role: "reference_audio" })),
  ];
}

function bodyOf(channel: Channel, order: VideoOrder): JsonObject {
  const model = channel.models[order.model] ?? order.model;
  const { draftRef, settings, resolution, watermark, isAutoLength } = order;
  // The rest is as in the draft.
  if (draftRef !== undefined)
    return {
      model,
      content: [{ type: "draft_task", draft_task: { id: draftRef } }],
      ...{ resolution, watermark, ...settings },
    };
  return {
    model,
    content: contentOf(order),
    // Upstreams have other defaults than we do, so every parameter that affects the price or the
    // result is sent.
    resolution,
    ratio: order.ratio,
    // Frames are the length in place of seconds.
    ...(settings?.frames === undefined && { duration: isAutoLength ? -1 : order.durationSeconds }),
    generate_audio: order.generateAudio,
    watermark,
    ...(order.seed === null ? {} : { seed: order.seed }),
    ...(order.cameraFixed === null ? {} : { camera_fixed: order.cameraFixed }),
    ...settings,
  };
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
        isGone: isTaskGone(answer.status, answer.errorCode),
        failure: answer.failure,
      };
    const state = readTask(answer.body);
    if (state) return { isOk: true, state };
    const failure = failureOf("upstream_bad_response", "not a task, or finished without a video", {
      mayHaveCost: true,
    });
    return { isOk: false, isGone: false, failure };
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
      return submittedTask(answer.body);
    },
    cancel(channel, upstreamRef) {
      const path = `${TASKS}/${encodeURIComponent(upstreamRef)}`;
      return cancelQueued(
        () => read(channel, upstreamRef),
        () => caller.call(channel, { method: "DELETE", path, ...limits }),
      );
    },
  };
}

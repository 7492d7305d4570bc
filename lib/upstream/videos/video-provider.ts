/** Video tasks at an upstream that speaks OpenAI's Videos API. */
import { failureOf } from "../failure";
import type { ReadResult, VideoProvider } from "../media-provider";
import type { Channel } from "../provider";
import type { JsonCaller } from "../transport/json-caller";
import { cancelQueued, isTaskGone, submittedTask } from "../transport/video-tasks";
import { orderBody, unsuited } from "./video-order";
import { readVideo } from "./video-state";

const VIDEOS = "/videos";
const limits = { deadlineMs: 60_000, answerBytesMax: 1024 * 1024 };

const pathOf = (upstreamRef: string) => `${VIDEOS}/${encodeURIComponent(upstreamRef)}`;

export function createOpenAiVideo(caller: JsonCaller): VideoProvider {
  async function read(channel: Channel, upstreamRef: string): Promise<ReadResult> {
    const path = pathOf(upstreamRef);
    const answer = await caller.call(channel, { method: "GET", path, ...limits });
    if (!answer.isOk) {
      const { status, errorCode, errorType, failure } = answer;
      // A video that does not exist is refused with a type and often without a code.
      return { isOk: false, isGone: isTaskGone(status, errorCode || errorType), failure };
    }
    const state = readVideo(answer.body, `${channel.baseUrl}${path}/content`);
    if (state) return { isOk: true, state };
    const failure = failureOf("upstream_bad_response", "not a video", { mayHaveCost: true });
    return { isOk: false, isGone: false, failure };
  }

  return {
    read,
    async submit(channel, order) {
      const failure = unsuited(order);
      if (failure) return { isOk: false, failure };
      const answer = await caller.call(channel, {
        method: "POST",
        path: VIDEOS,
        body: orderBody(channel, order),
        inlineImages: order.inlineImages,
        reference: order.clientReference,
        ...limits,
      });
      return answer.isOk ? submittedTask(answer.body) : answer;
    },
    cancel: (channel, upstreamRef) =>
      cancelQueued(
        () => read(channel, upstreamRef),
        () => caller.call(channel, { method: "DELETE", path: pathOf(upstreamRef), ...limits }),
      ),
  };
}

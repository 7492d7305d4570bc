/** Places orders of videos for a model that offers everything, at a rate for each case. */
import { type VideoRequest, videoRequest } from "@/lib/contract/video";
import { type VideoJobRequest, videoJobRequest } from "@/lib/contract/video-job";
import { type VideoTaskRequest, videoTaskRequest } from "@/lib/contract/video-task";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { priceOfRates } from "@/lib/pricing/rate";
import { requestedVideoOfJob } from "@/lib/relay/video/requested-job";
import type { RequestedVideo } from "@/lib/relay/video/requested-order";
import { requestedVideoOfCall, requestedVideoOfTask } from "@/lib/relay/video/requested-video";
import { orderVideo } from "@/lib/relay/video/video-order";
import { createArkVideo } from "@/lib/upstream/ark/video-provider";
import type { JsonObject } from "@/lib/upstream/provider";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { wholeVideo } from "@/testing/relay/whole-video";
import { plainChannel } from "../upstream/plain-channel";
import type { Place, Placed } from "./field-table";

const version: PriceVersion = {
  id: "1",
  model: wholeVideo.id,
  price: priceOfRates(
    wholeVideo.rates.map(({ points, ...rate }) => ({
      ...rate,
      unit: rate.unit === "tool_call" ? "tool_call" : "video_token",
      amount: BigInt(points * 1_000_000),
    })),
  ),
  effectiveAt: new Date(0),
};

async function placed(requested: RequestedVideo): Promise<Placed> {
  const purchase = orderVideo(requested, usualPrincipal, { current: () => version });
  let sent: JsonObject = {};
  const { draftTask } = purchase.spec;
  const { submit } = createArkVideo({
    async call(_, request) {
      sent = request.body ?? {};
      return { isOk: true, body: { id: "cgt-1" } };
    },
    abortAll() {},
    close: async () => {},
  });
  await submit(plainChannel("ch"), {
    ...purchase.spec,
    ...purchase.images,
    ...(draftTask !== undefined && { draftRef: draftTask }),
    model: wholeVideo.id,
    clientReference: "cgt-1",
  });
  return { sent, cost: `${purchase.holdAmount} ${purchase.quoteAmount}`, ignored: [] };
}

const { id: model } = wholeVideo;
const prompt = "a boat";
const text = { type: "text", text: prompt };

export const placeTask: Place = (order) => {
  const body = { model, content: [text], ...order };
  validate(videoTaskRequest, body);
  return placed(requestedVideoOfTask(body as VideoTaskRequest));
};
export const placeCall: Place = (order) => {
  const body = { model, prompt, ...order };
  validate(videoRequest, body);
  return placed(requestedVideoOfCall(body as VideoRequest));
};
export const placeJob: Place = (order) => {
  const body = { model, prompt, ...order };
  validate(videoJobRequest, body);
  return placed(requestedVideoOfJob(body as VideoJobRequest));
};

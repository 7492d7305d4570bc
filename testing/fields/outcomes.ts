/** What becomes of each documented field, found by placing an order that has it. */

import { type VideoRequest, videoRequest } from "@/lib/contract/video";
import { type VideoJobRequest, videoJobRequest } from "@/lib/contract/video-job";
import { type VideoTaskRequest, videoTaskRequest } from "@/lib/contract/video-task";
import { isRelayError } from "@/lib/failures/relay-error";
import { validate } from "@/lib/http/validate";
import type { PriceVersion } from "@/lib/price-book/price-version";
import { priceOfRates } from "@/lib/pricing/rate";
import { requestedVideoOfJob } from "@/lib/relay/video/requested-job";
import type { RequestedVideo } from "@/lib/relay/video/requested-order";
import { requestedVideoOfCall, requestedVideoOfTask } from "@/lib/relay/video/requested-video";
import { orderVideo } from "@/lib/relay/video/video-order";
import { createArkVideo } from "@/lib/upstream/ark/video-provider";
import type { Channel, JsonObject } from "@/lib/upstream/provider";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { wholeVideo } from "@/testing/relay/whole-video";
import type { Documented, FieldTable } from "./documented";

export const outcomes = ["priced", "passed", "neutral value only", "refused by name"] as const;
type Outcome = (typeof outcomes)[number];

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
const channel: Channel = {
  ...{ id: "ch", name: "ch", protocol: "ark", baseUrl: "https://upstream.example", apiKey: null },
  ...{ models: {}, priority: 0, weight: 1, timeoutSeconds: null },
  ...{ requestsPerSecond: 0, requestsPerMinute: 0 },
};

const text = { content: [{ type: "text", text: "a boat" }] };
type Reader = readonly [needed: object, read: (body: object) => RequestedVideo];
const readers: Readonly<Record<string, Reader>> = {
  "POST /v1/contents/generations/tasks": [
    text,
    (body) => {
      validate(videoTaskRequest, body);
      return requestedVideoOfTask(body as VideoTaskRequest);
    },
  ],
  "POST /v1/videos/generations": [
    { prompt: "a boat" },
    (body) => {
      validate(videoRequest, body);
      return requestedVideoOfCall(body as VideoRequest);
    },
  ],
  "POST /v1/videos": [
    { prompt: "a boat" },
    (body) => {
      validate(videoJobRequest, body);
      return requestedVideoOfJob(body as VideoJobRequest);
    },
  ],
};

/** What an order holds and would cost, and what its upstream gets. */
async function placed({ endpoint }: FieldTable, order: object) {
  const reader = readers[endpoint];
  if (!reader) throw new Error(`nobody reads ${endpoint}`);
  const [needed, read] = reader;
  const body = { model: wholeVideo.id, ...needed, ...order };
  const purchase = orderVideo(read(body), usualPrincipal, { current: () => version });
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
  await submit(channel, {
    ...purchase.spec,
    ...purchase.images,
    ...(draftTask !== undefined && { draftRef: draftTask }),
    model: wholeVideo.id,
    clientReference: "cgt-1",
  });
  return { sent, cost: `${purchase.holdAmount} ${purchase.quoteAmount}` };
}

const isRefused = (error: unknown) =>
  isRelayError(error) && ["unsupported_value", "invalid_value"].includes(error.code);

async function outcomeOf(table: FieldTable, documented: Documented): Promise<Outcome> {
  const usual = await placed(table, {});
  try {
    const { sent, cost } = await placed(table, documented.order);
    if (cost !== usual.cost) return "priced";
    const name = documented.upstream === undefined ? documented.field : documented.upstream;
    return name === null || name in sent ? "passed" : "neutral value only";
  } catch (error) {
    if (isRefused(error)) return "refused by name";
    throw error;
  }
}

export const outcomesOf = (table: FieldTable) =>
  Promise.all(
    table.fields.map(async (documented) => ({
      ...documented,
      outcome: await outcomeOf(table, documented),
    })),
  );

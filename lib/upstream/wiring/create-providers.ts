/** Creates every adapter, and picks the one for a channel's protocol. */

import { readBalance } from "../account/read-balance";
import { readPriceList } from "../account/read-price-list";
import { createMessagesChat } from "../anthropic/messages-provider";
import { createArkVideo } from "../ark/video-provider";
import { ourFault } from "../failure";
import { createImageProvider } from "../images/image-provider";
import type { ImageProvider, VideoProvider } from "../media-provider";
import { createOpenAiChat } from "../openai/chat-provider";
import { createResponsesChat } from "../openai/responses-provider";
import type { Channel, ChatProvider } from "../provider";
import type { Providers } from "../providers";
import type { Traceparent } from "../transport/calls";
import type { SilenceDeadlines } from "../transport/chat-calls";
import { createJsonCaller, type JsonCaller } from "../transport/json-caller";
import { createOpenAiVideo } from "../videos/video-provider";

const noVideo = ourFault("the channel's protocol has no video");
const noImages = ourFault("the channel's protocol has no images");

const withoutVideo: VideoProvider = {
  submit: async () => ({ isOk: false, failure: noVideo }),
  read: async () => ({ isOk: false, isGone: false, failure: noVideo }),
  cancel: async () => "unknown",
};

const withoutImages: ImageProvider = {
  generate: async () => ({ isOk: false, failure: noImages }),
};

/**
 * An id that no upstream has. The answer "no such task" proves that the address and the credential
 * work.
 */
const NO_TASK = "cgt-20000101000000-none";
const modelList = {
  method: "GET",
  path: "/models",
  deadlineMs: 30_000,
  answerBytesMax: 4 * 1024 * 1024,
} as const;
const noSuchPath = [404, 405, 501];

interface MediaFormats {
  readonly image: ImageProvider;
  readonly video: VideoProvider;
  /** True when the protocol has no list of models to ask for. */
  readonly isReachedByTask: boolean;
}

/** Another instance of this product uses Ark's format for tasks and images. */
function createMediaFormats(
  caller: JsonCaller,
): Readonly<Record<Channel["protocol"], MediaFormats>> {
  const ark = {
    image: createImageProvider("ark", caller),
    video: createArkVideo(caller),
    isReachedByTask: true,
  };
  const openai = {
    image: createImageProvider("openai", caller),
    video: createOpenAiVideo(caller),
    isReachedByTask: false,
  };
  const anthropic = { image: withoutImages, video: withoutVideo, isReachedByTask: false };
  return { openai, ark, relay: ark, anthropic };
}

/** Chat is the same in all protocols but one, and so are requests of the Responses API. */
function createChat(traceparent?: Traceparent, silence?: SilenceDeadlines): ChatProvider {
  const common = createOpenAiChat({ traceparent, silence });
  const messages = createMessagesChat({ traceparent, silence });
  const responses = createResponsesChat({ traceparent, silence });
  const all = [common, messages, responses];
  const of = ({ protocol }: Channel, isNative = false) =>
    protocol === "anthropic" ? messages : isNative ? responses : common;
  return {
    complete: (channel, body, isNative, images) =>
      of(channel, isNative).complete(channel, body, isNative, images),
    stream: (channel, body, listener, isNative, images) =>
      of(channel, isNative).stream(channel, body, listener, isNative, images),
    abortAll() {
      for (const each of all) each.abortAll();
    },
    async close() {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

export function createProviders(traceparent?: Traceparent, silence?: SilenceDeadlines): Providers {
  const caller = createJsonCaller(traceparent);
  const chat = createChat(traceparent, silence);
  const formats = createMediaFormats(caller);
  const videoOf = (channel: Channel) => formats[channel.protocol].video;
  return {
    chat,
    video: {
      submit: (channel, order) => videoOf(channel).submit(channel, order),
      read: (channel, ref) => videoOf(channel).read(channel, ref),
      cancel: (channel, ref) => videoOf(channel).cancel(channel, ref),
    },
    image: {
      generate: (channel, order) => formats[channel.protocol].image.generate(channel, order),
    },
    async reach(channel) {
      const { video, isReachedByTask } = formats[channel.protocol];
      if (isReachedByTask) {
        const read = await video.read(channel, NO_TASK);
        return read.isOk || read.isGone ? null : read.failure;
      }
      const listed = await caller.call(channel, modelList);
      return listed.isOk ? null : listed.failure;
    },
    async listsModels(channel) {
      const listed = await caller.call(channel, modelList);
      if (listed.isOk) return Array.isArray(listed.body?.data) ? true : undefined;
      return noSuchPath.includes(listed.status) ? false : undefined;
    },
    async listModels(channel) {
      const listed = await caller.call(channel, modelList);
      const data: unknown = listed.isOk ? listed.body?.data : null;
      return Array.isArray(data) ? data : null;
    },
    balance: (channel) => readBalance(caller, channel),
    priceList: (channel, place) => readPriceList(caller, channel, place),
    abortAll() {
      chat.abortAll();
      caller.abortAll();
    },
    async close() {
      await Promise.all([chat.close(), caller.close()]);
    },
  };
}

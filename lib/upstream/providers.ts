/** Every adapter, picked by what a channel speaks. */
import { createArkVideo } from "./ark/video-provider";
import { createImageProvider } from "./images/image-provider";
import type { ImageProvider, VideoProvider } from "./media-provider";
import { createOpenAiChat, type Silence } from "./openai/chat-provider";
import type { Channel, ChatProvider, UpstreamFailure } from "./provider";
import type { Traceparent } from "./transport/calls";
import { failureOf } from "./transport/failure";
import { createJsonCaller } from "./transport/json-caller";

export interface Providers {
  readonly chat: ChatProvider;
  readonly video: VideoProvider;
  readonly image: ImageProvider;
  /** Whether the address and the credential hold, found out without ordering anything; null: they do. Never rejects. */
  reach(channel: Channel): Promise<UpstreamFailure | null>;
  /** Ends every call that still runs, as failed. */
  abortAll(): void;
  close(): Promise<void>;
}

const noVideo = failureOf("no_channel_available", "the channel's protocol has no video", { isSurelyFree: true, isOperatorFault: true });

/** A task that no upstream has: being told so takes a good address and a good credential. */
const NO_TASK = "cgt-20000101000000-none";
const listLimits = { deadlineMs: 30_000, answerBytesMax: 4 * 1024 * 1024 };

/** Chat is alike in all three protocols; another instance of this product takes and answers tasks and images as Ark does. */
export function createProviders(traceparent?: Traceparent, silence?: Silence): Providers {
  const caller = createJsonCaller(traceparent);
  const chat = createOpenAiChat({ traceparent, silence });
  const arkVideo = createArkVideo(caller);
  const arkImages = createImageProvider("ark", caller);
  const openAiImages = createImageProvider("openai", caller);
  const hasVideo = (channel: Channel) => channel.protocol !== "openai";
  return {
    chat,
    video: {
      submit: async (channel, order) => (hasVideo(channel) ? arkVideo.submit(channel, order) : { isOk: false, failure: noVideo }),
      read: async (channel, ref) => (hasVideo(channel) ? arkVideo.read(channel, ref) : { isOk: false, isGone: false, failure: noVideo }),
      cancel: async (channel, ref) => (hasVideo(channel) ? arkVideo.cancel(channel, ref) : "unknown"),
    },
    image: { generate: (channel, order) => (channel.protocol === "openai" ? openAiImages : arkImages).generate(channel, order) },
    async reach(channel) {
      if (hasVideo(channel)) {
        const read = await arkVideo.read(channel, NO_TASK);
        return read.isOk || read.isGone ? null : read.failure;
      }
      const listed = await caller.call(channel, { method: "GET", path: "/models", ...listLimits });
      return listed.isOk ? null : listed.failure;
    },
    abortAll() {
      chat.abortAll();
      caller.abortAll();
    },
    async close() {
      await Promise.all([chat.close(), caller.close()]);
    },
  };
}

/** Chat with any OpenAI-compatible server over HTTP. */
import type { ChatProvider } from "../provider";
import { type ChatProviderOptions, createChatCalls } from "../transport/chat-calls";
import { ChunkReader } from "./chunk-reader";
import { PlainCall } from "./plain-call";

export const createOpenAiChat = (options: ChatProviderOptions = {}): ChatProvider =>
  createChatCalls(
    {
      path: "/chat/completions",
      headersOf: ({ apiKey }) => (apiKey === null ? [] : ["authorization", `Bearer ${apiKey}`]),
      encode: (body) => body,
      plain: (parts, resolve) => new PlainCall(...parts, resolve),
      openReader: () => new ChunkReader(),
    },
    options,
  );

/** Text of a server that speaks the Responses API, for requests in that API. */
import type { ChatProvider } from "../provider";
import { type ChatProviderOptions, createChatCalls } from "../transport/chat-calls";
import { ObjectCall } from "../transport/object-call";
import { asObject } from "../transport/upstream-json";
import { ResponseReader, readResponse } from "./response-reader";

export const createResponsesChat = (options: ChatProviderOptions = {}): ChatProvider =>
  createChatCalls(
    {
      path: "/responses",
      headersOf: ({ apiKey }) => (apiKey === null ? [] : ["authorization", `Bearer ${apiKey}`]),
      encode: (body) => body,
      plain: (parts, resolve) => new ObjectCall(...parts, resolve, readResponse),
      openReader: () => new ResponseReader(),
      bodyOfEvents: (events) => asObject(events.at(-1)?.response) ?? {},
    },
    options,
  );

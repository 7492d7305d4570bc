/** Chat with a server that speaks the Messages API. */
import type { ChatProvider } from "../provider";
import { type ChatProviderOptions, createChatCalls } from "../transport/chat-calls";
import { asObject } from "../transport/upstream-json";
import { MessageEvents } from "./event-reader";
import { messageOf } from "./message-of-events";
import { PlainCall } from "./plain-call";
import { toMessages } from "./to-messages";

const VERSION = "2023-06-01";

/** The text of a chat request in the format of the Messages API. The relay wrote the text. */
const encode = (body: string) => JSON.stringify(toMessages(asObject(JSON.parse(body)) ?? {}));

export const createMessagesChat = (options: ChatProviderOptions = {}): ChatProvider =>
  createChatCalls(
    {
      path: "/messages",
      headersOf: ({ apiKey }) => [
        "anthropic-version",
        VERSION,
        ...(apiKey === null ? [] : ["x-api-key", apiKey]),
      ],
      encode: (body, isNative) => (isNative ? body : encode(body)),
      plain: (parts, resolve, isNative) => new PlainCall(...parts, resolve, isNative),
      openReader: (isNative) => new MessageEvents(isNative),
      bodyOfEvents: messageOf,
    },
    options,
  );

/** Chat with a server that speaks the Messages API. */
import type { ChatProvider, JsonObject } from "../provider";
import { referenceOf } from "../transport/answer-members";
import { type ChatProviderOptions, createChatCalls } from "../transport/chat-calls";
import { ObjectCall } from "../transport/object-call";
import { asObject } from "../transport/upstream-json";
import { MessageEvents } from "./event-reader";
import { objectsOf } from "./json-reading";
import { messageOf } from "./message-of-events";
import { toChatAnswer } from "./to-chat";
import { toMessages } from "./to-messages";
import { readUsage } from "./usage";

const VERSION = "2023-06-01";

/** The text of a chat request in the format of the Messages API. The relay wrote the text. */
const encode = (body: string) => JSON.stringify(toMessages(asObject(JSON.parse(body)) ?? {}));

function readMessage(message: JsonObject, isNative: boolean) {
  if (!Array.isArray(message.content)) return null;
  const { usage, fault } = readUsage(message.usage);
  const hasContent = objectsOf(message.content).length > 0;
  return {
    body: isNative ? message : toChatAnswer(message),
    end: { usage, usageFault: fault, hasContent, upstreamRef: referenceOf(message) },
  };
}

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
      plain: (parts, resolve, isNative) =>
        new ObjectCall(...parts, resolve, (body) => readMessage(body, isNative)),
      openReader: (isNative) => new MessageEvents(isNative),
      bodyOfEvents: messageOf,
    },
    options,
  );

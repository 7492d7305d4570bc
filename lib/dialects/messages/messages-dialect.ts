/** The dialect of `POST /v1/messages`. */
import { type MessagesRequest, messagesRequest } from "../../contract/messages";
import type { TextDialect } from "../text-dialect";
import { toError } from "./failure";
import { withHeaderFields } from "./header-fields";
import { MessageStream } from "./message-stream";
import { nativeAnswer } from "./native-answer";
import { nativeOf } from "./native-request";
import { NativeStream } from "./native-stream";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

export const messagesDialect: TextDialect<MessagesRequest> = {
  name: "messages",
  schema: messagesRequest,
  withHeaders: withHeaderFields,
  toChat: (request) => ({ ...toChat(request), native: nativeOf(request) }),
  toAnswer,
  openStream: (context) => new MessageStream(context),
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  toError,
  native: { toAnswer: nativeAnswer, openStream: (context) => new NativeStream(context) },
};

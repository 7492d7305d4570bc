/** The dialect of `POST /v1/messages`. */
import { type MessagesRequest, messagesRequest } from "../../contract/messages";
import { failures } from "../../failures";
import type { TextDialect } from "../text-dialect";
import { failureBodyOf } from "./failure";
import { MessageStream } from "./message-stream";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

export const messagesDialect: TextDialect<MessagesRequest> = {
  name: "messages",
  schema: messagesRequest,
  toChat,
  toAnswer,
  openStream: (context) => new MessageStream(context),
  toError: (error, requestId) => ({
    status: failures[error.code].status,
    body: failureBodyOf(error, requestId),
  }),
};

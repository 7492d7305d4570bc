/**
 * The Responses dialect: what the `openai` library, the AI SDK and Codex speak. References to stored
 * responses and items must have been replaced before a request is translated.
 */
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { KEEP_ALIVE, type TextDialect } from "../text-dialect";
import { toError } from "./failure";
import { ResponseEvents } from "./response-events";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

export const responsesDialect: TextDialect<ResponsesRequest> = {
  name: "responses",
  schema: responsesRequest,
  toChat,
  toAnswer,
  openStream: (context) => new ResponseEvents(context),
  // Codex compacts a conversation when it reads this in a stream, and stops at a 400.
  streamedRefusals: ["context_length_exceeded"],
  keepAlive: KEEP_ALIVE,
  toError,
};

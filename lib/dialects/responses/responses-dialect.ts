/**
 * The Responses dialect: what the `openai` library, the AI SDK and Codex speak. References to stored
 * responses and items must have been replaced before a request is translated.
 */
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { KEEP_ALIVE, type TextDialect } from "../text-dialect";
import { isCompaction } from "./compaction";
import { CompactionEvents } from "./compaction-events";
import { toError } from "./failure";
import { nativeAnswer } from "./native-answer";
import { assertOffered, nativeOf } from "./native-request";
import { NativeEvents } from "./native-stream";
import { ResponseEvents } from "./response-events";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

export const responsesDialect: TextDialect<ResponsesRequest> = {
  name: "responses",
  schema: responsesRequest,
  toChat: (request) => ({
    ...toChat(request),
    // A summary is asked for in words, which every model reads.
    ...(isCompaction(request) ? {} : { native: nativeOf(request) }),
    assertOffered: assertOffered(request),
  }),
  native: { toAnswer: nativeAnswer, openStream: (context) => new NativeEvents(context) },
  toAnswer,
  openStream: (context) =>
    isCompaction(context.request) ? new CompactionEvents(context) : new ResponseEvents(context),
  // Codex compacts a conversation when it reads this in a stream, and stops at a 400.
  streamedRefusals: ["context_length_exceeded"],
  keepAlive: KEEP_ALIVE,
  toError,
};

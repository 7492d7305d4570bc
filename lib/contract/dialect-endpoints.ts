/** The rows of the endpoint table for other APIs in which text can be asked for. */
import type { EndpointRow } from "./endpoint";
import { CHAT_BODY_MEBIBYTES_MAX } from "./limits";
import {
  countTokensRequest,
  countTokensResponse,
  messagesRequest,
  messagesResponse,
} from "./messages";

/** As for chat completions. */
const BODY_BYTES_MAX = CHAT_BODY_MEBIBYTES_MAX * 1024 * 1024;

export const dialectEndpoints = {
  createMessage: {
    name: "createMessage",
    method: "POST",
    path: "/v1/messages",
    summary: "Answer a conversation in the form of the Messages API, in one body or streamed",
    admits: ["apiKey", "session"],
    dialect: "messages",
    billing: "generation",
    rate: "request",
    bodyBytesMax: BODY_BYTES_MAX,
    request: messagesRequest,
    response: messagesResponse,
  },
  countMessageTokens: {
    name: "countMessageTokens",
    method: "POST",
    path: "/v1/messages/count_tokens",
    summary: "An upper bound of the input tokens of a message; nothing is spent or sent",
    admits: ["apiKey", "session"],
    dialect: "messages",
    billing: "free",
    rate: "request",
    bodyBytesMax: BODY_BYTES_MAX,
    request: countTokensRequest,
    response: countTokensResponse,
  },
} as const satisfies Record<string, EndpointRow>;

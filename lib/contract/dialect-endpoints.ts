/** The rows of the endpoint table for other APIs in which text can be asked for. */
import { free, get, named, post, remove, type Unnameds } from "./endpoint";
import { CHAT_TEXT_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import {
  countTokensRequest,
  countTokensResponse,
  messagesRequest,
  messagesResponse,
} from "./messages";
import { compactedResponse, compactRequest } from "./response-compaction";
import {
  inputItemList,
  inputItemsQuery,
  responseAnswer,
  responseDeleted,
  responsesRequest,
} from "./responses";

/** As for chat completions. */
const bounds = {
  bodyBytesMax: MEDIA_BODY_MEBIBYTES_MAX * 1024 * 1024,
  textBytesMax: CHAT_TEXT_MEBIBYTES_MAX * 1024 * 1024,
} as const;
const callers = { admits: ["apiKey", "session"] } as const;
const messages = {
  group: "messages",
  ...callers,
  dialect: "messages",
  rate: "request",
  ...bounds,
  hasBareImages: true,
} as const;
const responses = { group: "responses", ...callers, dialect: "responses" } as const;
const oneResponse = {
  ...responses,
  parameter: "The id of the response",
  ...free("request"),
} as const;

export const dialectEndpoints = named({
  createMessage: {
    ...post("/v1/messages"),
    ...messages,
    summary: "Create a message, in one body or streamed",
    billing: "generation",
    request: messagesRequest,
    response: messagesResponse,
  },
  countMessageTokens: {
    ...post("/v1/messages/count_tokens"),
    ...messages,
    summary: "Get the most input tokens that a message can have, without sending it",
    billing: "free",
    request: countTokensRequest,
    response: countTokensResponse,
  },
  createResponse: {
    ...post("/v1/responses"),
    ...responses,
    summary: "Create a response, in one body or streamed",
    billing: "generation",
    rate: "request",
    ...bounds,
    hasMetadata: true,
    request: responsesRequest,
    response: responseAnswer,
  },
  compactResponse: {
    ...post("/v1/responses/compact"),
    ...responses,
    summary:
      "Compact a conversation: the model writes a summary of it, which is charged as an answer",
    billing: "generation",
    rate: "request",
    ...bounds,
    hasMetadata: true,
    request: compactRequest,
    response: compactedResponse,
  },
  getResponse: {
    ...get("/v1/responses/{id}"),
    ...oneResponse,
    summary: "Get a stored response",
    response: responseAnswer,
  },
  deleteResponse: {
    ...remove("/v1/responses/{id}"),
    ...oneResponse,
    summary: "Delete a stored response",
    response: responseDeleted,
  },
  cancelResponse: {
    ...post("/v1/responses/{id}/cancel"),
    ...oneResponse,
    summary:
      "Ask whether a response in the background has ended: one that is being made is not cancelled",
    response: responseAnswer,
  },
  listInputItems: {
    ...get("/v1/responses/{id}/input_items"),
    ...oneResponse,
    summary: "List the input items of a stored response",
    query: inputItemsQuery,
    response: inputItemList,
  },
} as const satisfies Unnameds);

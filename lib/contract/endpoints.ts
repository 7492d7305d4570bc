/** The endpoint table. Both lanes, the API document, the route files and the tests read it. */
import { z } from "zod";
import { chatRequest, chatResponse } from "./chat";
import type { EndpointRow } from "./endpoint";
import { imageRequest, imageResponse } from "./image";
import { CHAT_BODY_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import {
  countTokensRequest,
  countTokensResponse,
  messagesRequest,
  messagesResponse,
} from "./messages";
import { modelEntry, modelList } from "./model-list";
import {
  balanceResponse,
  keyResponse,
  quoteRequest,
  quoteResponse,
  usageQuery,
  usageResponse,
} from "./own-account";
import { responsesEndpoints } from "./responses-endpoints";
import { videoRequest, videoResponse } from "./video";
import {
  nothing,
  videoTask,
  videoTaskCreated,
  videoTaskList,
  videoTaskRequest,
} from "./video-task";

const MEBIBYTE = 1024 * 1024;
/** Room for a long conversation. Text is charged by its length, so it is never shortened. */
const CHAT_BODY_BYTES_MAX = CHAT_BODY_MEBIBYTES_MAX * MEBIBYTE;
/** Room for a few images inside the body. */
const MEDIA_BODY_BYTES_MAX = MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE;
/** The bytes themselves: video/mp4, image/png, image/jpeg or image/webp. */
const file = z.string().meta({ format: "binary" });
/** The largest body that can be quoted. */
const QUOTE_BODY_BYTES_MAX = MEDIA_BODY_BYTES_MAX;
const apiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.unknown()),
});
const health = z.object({ status: z.string() });

/** What the endpoints share that anyone may read. */
const open = {
  admits: ["anyone"],
  billing: "free",
  rate: "none",
  bodyBytesMax: 0,
  request: null,
} as const;

export const endpoints = {
  createChatCompletion: {
    name: "createChatCompletion",
    method: "POST",
    path: "/v1/chat/completions",
    summary: "Answer a conversation, in one body or streamed",
    admits: ["apiKey", "session"],
    billing: "generation",
    rate: "request",
    bodyBytesMax: CHAT_BODY_BYTES_MAX,
    request: chatRequest,
    response: chatResponse,
  },
  createMessage: {
    name: "createMessage",
    method: "POST",
    path: "/v1/messages",
    summary: "Answer a conversation in the form of the Messages API, in one body or streamed",
    admits: ["apiKey", "session"],
    dialect: "messages",
    billing: "generation",
    rate: "request",
    bodyBytesMax: CHAT_BODY_BYTES_MAX,
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
    bodyBytesMax: CHAT_BODY_BYTES_MAX,
    request: countTokensRequest,
    response: countTokensResponse,
  },
  ...responsesEndpoints,
  createImage: {
    name: "createImage",
    method: "POST",
    path: "/v1/images/generations",
    summary: "Make an image",
    admits: ["apiKey", "session"],
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    textBytesMax: MEBIBYTE,
    request: imageRequest,
    storesText: true,
    response: imageResponse,
  },
  getMedia: {
    name: "getMedia",
    method: "GET",
    path: "/v1/media/{file}",
    summary:
      "A video or an image by the signed address it was delivered with; whole, or the range asked for",
    admits: ["anyone"],
    billing: "free",
    rate: "none",
    bodyBytesMax: 0,
    request: null,
    response: file,
  },
  createVideo: {
    name: "createVideo",
    method: "POST",
    path: "/v1/videos/generations",
    summary: "Make a video in one call that is held open until it is ready",
    admits: ["apiKey", "session"],
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    textBytesMax: MEBIBYTE,
    request: videoRequest,
    storesText: true,
    response: videoResponse,
  },
  createVideoTask: {
    name: "createVideoTask",
    method: "POST",
    path: "/v1/contents/generations/tasks",
    summary: "Order a video and get the id of its task",
    admits: ["apiKey", "session"],
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    textBytesMax: MEBIBYTE,
    request: videoTaskRequest,
    storesText: true,
    response: videoTaskCreated,
  },
  listVideoTasks: {
    name: "listVideoTasks",
    method: "GET",
    path: "/v1/contents/generations/tasks",
    summary: "List your video tasks of the last seven days, the newest first",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "poll",
    bodyBytesMax: 0,
    request: null,
    response: videoTaskList,
  },
  getVideoTask: {
    name: "getVideoTask",
    method: "GET",
    path: "/v1/contents/generations/tasks/{id}",
    summary: "A video task, with the link to its video once it has succeeded",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "poll",
    bodyBytesMax: 0,
    request: null,
    response: videoTask,
  },
  deleteVideoTask: {
    name: "deleteVideoTask",
    method: "DELETE",
    path: "/v1/contents/generations/tasks/{id}",
    summary: "Cancel a video task that waits, or hide one that has ended",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: nothing,
  },
  listModels: {
    name: "listModels",
    method: "GET",
    path: "/v1/models",
    summary: "List the models with your own prices",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: modelList,
  },
  getModel: {
    name: "getModel",
    method: "GET",
    path: "/v1/models/{model}",
    summary: "One model by identifier or alias",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: modelEntry,
  },
  createQuote: {
    name: "createQuote",
    method: "POST",
    path: "/v1/quote",
    summary: "What a generation request would hold and cost; nothing is spent or sent",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: QUOTE_BODY_BYTES_MAX,
    textBytesMax: CHAT_BODY_BYTES_MAX,
    request: quoteRequest,
    response: quoteResponse,
  },
  getBalance: {
    name: "getBalance",
    method: "GET",
    path: "/v1/balance",
    summary: "The points of your account",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: balanceResponse,
  },
  getUsage: {
    name: "getUsage",
    method: "GET",
    path: "/v1/usage",
    summary: "What your account used, summed by day, model or key; as CSV by Accept: text/csv",
    admits: ["apiKey", "session"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    query: usageQuery,
    response: usageResponse,
  },
  getKey: {
    name: "getKey",
    method: "GET",
    path: "/v1/key",
    summary: "The limits of the key you call with, and what it spent",
    admits: ["apiKey"],
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: keyResponse,
  },
  getApiDocument: {
    name: "getApiDocument",
    method: "GET",
    path: "/openapi.json",
    summary: "This API as an OpenAPI 3.1 document",
    ...open,
    response: apiDocument,
  },
  getApiDocumentUnderV1: {
    name: "getApiDocumentUnderV1",
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This API as an OpenAPI 3.1 document, below the base path",
    ...open,
    response: apiDocument,
  },
  getHealth: {
    name: "getHealth",
    method: "GET",
    path: "/healthz",
    summary: "The process is alive",
    ...open,
    response: health,
  },
  getReadiness: {
    name: "getReadiness",
    method: "GET",
    path: "/readyz",
    summary: "The process can serve: the database answers and no stop is under way",
    ...open,
    response: health,
  },
} as const satisfies Record<string, EndpointRow>;

/** Each row with the types of its own schemas. */
export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

/** The endpoint table. Both lanes, the API document, the route files and the tests read it. */
import { chatRequest, chatResponse } from "./chat";
import { dialectEndpoints } from "./dialect-endpoints";
import { free, get, named, post, remove, type Unnameds } from "./endpoint";
import { imageEndpoints } from "./image-endpoints";
import { CHAT_TEXT_MEBIBYTES_MAX, MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { managedKeyEndpoints } from "./managed-key-endpoints";
import { managedMemberEndpoints } from "./managed-member-endpoints";
import { modelEntry, modelList } from "./model-list";
import {
  balanceResponse,
  keyResponse,
  quoteRequest,
  quoteResponse,
  usageQuery,
  usageResponse,
} from "./own-account";
import { responsesRequest } from "./responses";
import { apiDocument, file, health } from "./service-answers";
import { videoRequest, videoResponse } from "./video";
import { videoJobEndpoints } from "./video-job-endpoints";
import {
  nothing,
  videoTask,
  videoTaskCreated,
  videoTaskList,
  videoTaskQuery,
  videoTaskRequest,
} from "./video-task";

const MEBIBYTE = 1024 * 1024;
/** Room for a long conversation. Text is charged by its length, so it is never shortened. */
const CHAT_TEXT_BYTES_MAX = CHAT_TEXT_MEBIBYTES_MAX * MEBIBYTE;
/** Room for a few images inside the body. */
const MEDIA_BODY_BYTES_MAX = MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE;
/** The largest body that can be quoted. */
const QUOTE_BODY_BYTES_MAX = MEDIA_BODY_BYTES_MAX;

const callers = { admits: ["apiKey", "session"] } as const;
const sold = {
  billing: "generation",
  rate: "request",
  bodyBytesMax: MEDIA_BODY_BYTES_MAX,
} as const;
const ofVideos = { group: "videos", ...callers } as const;
const soldVideo = { ...ofVideos, ...sold, textBytesMax: MEBIBYTE, storesText: true } as const;
const oneTask = { ...ofVideos, parameter: "The id of the task" } as const;
const ofAccount = { group: "account", ...free("request") } as const;
const manyKeys = { admits: ["apiKey", "managementKey", "session"] } as const;
const ofService = { group: "service", admits: ["anyone"], ...free("none") } as const;

export const endpoints = named({
  createChatCompletion: {
    ...post("/v1/chat/completions"),
    group: "chat",
    summary: "Create a chat completion, in one body or streamed",
    ...callers,
    ...sold,
    textBytesMax: CHAT_TEXT_BYTES_MAX,
    hasMetadata: true,
    request: chatRequest,
    // Cursor asks for some models in the words of the Responses API.
    alternate: { member: "input", instead: "messages", request: responsesRequest },
    response: chatResponse,
  },
  ...dialectEndpoints,
  ...imageEndpoints,
  getMedia: {
    ...get("/v1/media/{file}"),
    parameter: "The name and the signature of the file, as in the link to it",
    group: "files",
    summary: "Get a video or an image by its signed URL; the whole file or a range of it",
    admits: ["anyone"],
    ...free("none"),
    response: file,
  },
  createVideo: {
    ...post("/v1/videos/generations"),
    ...soldVideo,
    summary: "Create a video in one call that stays open until the video is ready",
    request: videoRequest,
    response: videoResponse,
  },
  createVideoTask: {
    ...post("/v1/contents/generations/tasks"),
    ...soldVideo,
    summary: "Create a video task and get its id",
    request: videoTaskRequest,
    response: videoTaskCreated,
  },
  listVideoTasks: {
    ...get("/v1/contents/generations/tasks"),
    ...ofVideos,
    summary: "List your video tasks of the last seven days, newest first",
    ...free("poll"),
    query: videoTaskQuery,
    response: videoTaskList,
  },
  getVideoTask: {
    ...get("/v1/contents/generations/tasks/{id}"),
    ...oneTask,
    summary: "Get a video task, with the link to its video once it has succeeded",
    ...free("poll"),
    response: videoTask,
  },
  streamVideoTask: {
    ...get("/v1/contents/generations/tasks/{id}/stream"),
    ...oneTask,
    summary: "Get the states of a video task as they come, until it has ended",
    ...free("poll"),
    response: videoTask,
  },
  deleteVideoTask: {
    ...remove("/v1/contents/generations/tasks/{id}"),
    ...oneTask,
    summary: "Cancel a queued video task, or hide one that has ended",
    ...free("request"),
    response: nothing,
  },
  ...videoJobEndpoints,
  listModels: {
    ...get("/v1/models"),
    group: "models",
    summary: "List the models with your prices",
    ...callers,
    ...free("request"),
    response: modelList,
  },
  getModel: {
    ...get("/v1/models/{model}"),
    parameter: "The model's identifier or alias",
    group: "models",
    summary: "Get a model by its identifier or alias",
    ...callers,
    ...free("request"),
    response: modelEntry,
  },
  createQuote: {
    ...post("/v1/quote"),
    group: "models",
    summary: "Get what a generation request would hold and cost, without running it",
    ...callers,
    billing: "free",
    rate: "request",
    bodyBytesMax: QUOTE_BODY_BYTES_MAX,
    textBytesMax: CHAT_TEXT_BYTES_MAX,
    hasBareImages: true,
    request: quoteRequest,
    response: quoteResponse,
  },
  getBalance: {
    ...get("/v1/balance"),
    ...ofAccount,
    summary: "Get the points of your account",
    ...manyKeys,
    scope: "points:read",
    response: balanceResponse,
  },
  getUsage: {
    ...get("/v1/usage"),
    ...ofAccount,
    summary: "Get your account's usage by day, model, key or member; as CSV with Accept: text/csv",
    ...manyKeys,
    scope: "usage:read",
    query: usageQuery,
    response: usageResponse,
  },
  getKey: {
    ...get("/v1/key"),
    ...ofAccount,
    summary: "Get the limits and the spending of the key that you call with",
    admits: ["apiKey"],
    response: keyResponse,
  },
  ...managedKeyEndpoints,
  ...managedMemberEndpoints,
  getApiDocument: {
    ...get("/openapi.json"),
    ...ofService,
    summary: "Get this API as an OpenAPI 3.1 document",
    response: apiDocument,
  },
  getApiDocumentUnderV1: {
    ...get("/v1/openapi.json"),
    ...ofService,
    summary: "Get this API as an OpenAPI 3.1 document, below the base path",
    response: apiDocument,
  },
  getHealth: {
    ...get("/healthz"),
    ...ofService,
    summary: "Check that the process is alive",
    response: health,
  },
  getReadiness: {
    ...get("/readyz"),
    ...ofService,
    summary:
      "Check that the process can serve: the database answers and no shutdown is in progress",
    response: health,
  },
} as const satisfies Unnameds);

/** Each row with the types of its own schemas. */
export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

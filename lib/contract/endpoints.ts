/** The endpoint table: both lanes, the API document, the route files and the tests read it. */
import { z } from "zod";
import { chatRequest, chatResponse } from "./chat";
import type { EndpointRow } from "./endpoint";
import { imageRequest, imageResponse } from "./image";
import { modelEntry, modelList } from "./model-list";
import { videoRequest, videoResponse } from "./video";
import { nothing, videoTask, videoTaskCreated, videoTaskList, videoTaskRequest } from "./video-task";

const MEBIBYTE = 1024 * 1024;
/** Room for a few images inside the body. */
const MEDIA_BODY_BYTES_MAX = 32 * MEBIBYTE;
/** The bytes themselves: video/mp4, image/png, image/jpeg or image/webp. */
const file = z.string().meta({ format: "binary" });
const health = z.object({ status: z.string() });

export const endpoints = {
  createChatCompletion: {
    name: "createChatCompletion",
    method: "POST",
    path: "/v1/chat/completions",
    summary: "Answer a conversation, in one body or streamed",
    authentication: "api_key",
    billing: "generation",
    rate: "request",
    bodyBytesMax: 4 * MEBIBYTE,
    request: chatRequest,
    response: chatResponse,
  },
  createImage: {
    name: "createImage",
    method: "POST",
    path: "/v1/images/generations",
    summary: "Make an image",
    authentication: "api_key",
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    request: imageRequest,
    response: imageResponse,
  },
  getMedia: {
    name: "getMedia",
    method: "GET",
    path: "/v1/media/{file}",
    summary: "A video or an image by the signed address it was delivered with; whole, or the range asked for",
    authentication: "none",
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
    authentication: "api_key",
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    request: videoRequest,
    response: videoResponse,
  },
  createVideoTask: {
    name: "createVideoTask",
    method: "POST",
    path: "/v1/contents/generations/tasks",
    summary: "Order a video and get the id of its task",
    authentication: "api_key",
    billing: "generation",
    rate: "request",
    bodyBytesMax: MEDIA_BODY_BYTES_MAX,
    request: videoTaskRequest,
    response: videoTaskCreated,
  },
  listVideoTasks: {
    name: "listVideoTasks",
    method: "GET",
    path: "/v1/contents/generations/tasks",
    summary: "List your video tasks of the last seven days, the newest first",
    authentication: "api_key",
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
    authentication: "api_key",
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
    authentication: "api_key",
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
    authentication: "api_key",
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
    authentication: "api_key",
    billing: "free",
    rate: "request",
    bodyBytesMax: 0,
    request: null,
    response: modelEntry,
  },
  getHealth: {
    name: "getHealth",
    method: "GET",
    path: "/healthz",
    summary: "The process is alive",
    authentication: "none",
    billing: "free",
    rate: "none",
    bodyBytesMax: 0,
    request: null,
    response: health,
  },
  getReadiness: {
    name: "getReadiness",
    method: "GET",
    path: "/readyz",
    summary: "The process can serve: the database answers and no stop is under way",
    authentication: "none",
    billing: "free",
    rate: "none",
    bodyBytesMax: 0,
    request: null,
    response: health,
  },
} as const satisfies Record<string, EndpointRow>;

export type EndpointName = keyof typeof endpoints;

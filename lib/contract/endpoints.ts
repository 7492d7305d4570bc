/** The endpoint table: both lanes, the API document, the route files and the tests read it. */
import { z } from "zod";
import { chatRequest, chatResponse } from "./chat";
import type { EndpointRow } from "./endpoint";
import { modelEntry, modelList } from "./model-list";

const MEBIBYTE = 1024 * 1024;
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

/** The endpoint table: both lanes, the API document, the route files and the tests read it. */
import { z } from "zod";
import { chatRequest, chatResponse } from "./chat";
import type { EndpointRow } from "./endpoint";
import { imageRequest, imageResponse } from "./image";
import { modelEntry, modelList } from "./model-list";
import { balanceResponse, keyResponse, quoteRequest, quoteResponse, usageQuery, usageResponse } from "./own-account";

const MEBIBYTE = 1024 * 1024;
/** Room for a few images inside the body. */
const IMAGE_BODY_BYTES_MAX = 32 * MEBIBYTE;
/** The bytes themselves: video/mp4, image/png, image/jpeg or image/webp. */
const file = z.string().meta({ format: "binary" });
/** As much as the largest body that can be quoted. */
const QUOTE_BODY_BYTES_MAX = 32 * MEBIBYTE;
const apiDocument = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) });
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
    bodyBytesMax: IMAGE_BODY_BYTES_MAX,
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
  createQuote: {
    name: "createQuote",
    method: "POST",
    path: "/v1/quote",
    summary: "What a generation request would hold and cost; nothing is spent or sent",
    authentication: "api_key",
    billing: "free",
    rate: "request",
    bodyBytesMax: QUOTE_BODY_BYTES_MAX,
    request: quoteRequest,
    response: quoteResponse,
  },
  getBalance: {
    name: "getBalance",
    method: "GET",
    path: "/v1/balance",
    summary: "The points of your account",
    authentication: "api_key",
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
    authentication: "api_key",
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
    authentication: "api_key",
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
    authentication: "none",
    billing: "free",
    rate: "none",
    bodyBytesMax: 0,
    request: null,
    response: apiDocument,
  },
  getApiDocumentUnderV1: {
    name: "getApiDocumentUnderV1",
    method: "GET",
    path: "/v1/openapi.json",
    summary: "This API as an OpenAPI 3.1 document, below the base path",
    authentication: "none",
    billing: "free",
    rate: "none",
    bodyBytesMax: 0,
    request: null,
    response: apiDocument,
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

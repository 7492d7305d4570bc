/** Requests of the operators' pages to `/api/admin/models…`, and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment, recordOf } from "./bounds";
import {
  IMPORTED_MODELS_MAX,
  MODEL_ID_LENGTH_MAX,
  MODEL_LENGTH_MAX,
  MULTIPLIER_LENGTH_MAX,
  REASON_LENGTH_MAX,
  SEARCH_LENGTH_MAX,
  UPSTREAM_MODEL_LENGTH_MAX,
} from "./limits";
import { modelFile } from "./model-file";
import { modelNames } from "./model-spec";
import { byOperator, type PageEndpoints } from "./page-endpoint";
import { pointsInput } from "./points";
import { rateView } from "./rates";
import { shownName } from "./shown-text";
import { channelStates, families, modelStates } from "./states";

const PAGES_MAX = 100;
const MODEL_REVISION_LENGTH_MAX = 100;
const CHANNEL_ID_LENGTH_MAX = 64;

const modelRow = z.object({
  id: answerText,
  aliases: answerRows(answerText),
  family: z.enum(families),
  /** A model whose date has passed has retired. */
  state: z.enum(modelStates),
  retiresAt: moment.nullable(),
  replacedBy: answerText.nullable(),
  isBuiltIn: z.boolean(),
  /** Counts from 1; a change of anything but state and price makes a new one. */
  version: z.number().int(),
  /** The list price that is in force; empty without one. */
  rates: answerRows(rateView),
  /** The number of active channels that map it. */
  channels: z.number().int(),
});

/** What a model lacks before it can be offered. */
const needs = z.object({
  hasPrice: z.boolean(),
  /** What could be ordered without a rate, of the present price or one to come. */
  gaps: answerRows(answerText),
  isMapped: z.boolean(),
  /** The newest test of some active channel with it worked. */
  isTested: z.boolean(),
});

const mapping = z.object({
  channel: answerText,
  name: answerText,
  state: z.enum(channelStates),
  upstreamModel: answerText,
  /** The newest test with this address and this name; null when there is none. */
  test: z.object({ at: moment, worked: z.boolean() }).nullable(),
});

/** What the editor saw: with another one, nothing is changed. */
const revision = z.string().max(MODEL_REVISION_LENGTH_MAX);

const modelDetail = z.object({
  model: modelRow,
  /** Another one after every change of what its file has. */
  revision: answerText,
  names: modelNames.nullable(),
  /** As in the model's file. */
  spec: recordOf(z.unknown()),
  needs,
  mappings: answerRows(mapping),
  /** Orders that are open, each under the version that it began with. */
  openOrders: z.number().int(),
});

const listQuery = z.object({
  /** Words of its names. */
  q: z.string().trim().max(SEARCH_LENGTH_MAX).optional(),
  family: z.enum(families).optional(),
  state: z.enum(modelStates).optional(),
  /** Counts from 1. */
  page: z.coerce.number().int().min(1).max(PAGES_MAX).optional(),
});
const listResponse = z.object({
  models: answerRows(modelRow),
  /** How many were found, on all pages. */
  count: z.number().int(),
  page: z.number().int(),
  pages: z.number().int(),
});

/** `anyway`: why it is offered without a channel or a test; it is written into the audit log. */
const offerRequest = z.strictObject({
  anyway: shownName(REASON_LENGTH_MAX).nullable().default(null),
});
/** `on`: null for now. */
const retireRequest = z.strictObject({
  on: moment.nullable().default(null),
  replacedBy: z.string().trim().min(1).max(MODEL_LENGTH_MAX).nullable().default(null),
});
/** `upstreamModel`: null to take the model from the channel. */
const mapRequest = z.strictObject({
  channel: z.string().min(1).max(CHANNEL_ID_LENGTH_MAX),
  upstreamModel: z.string().trim().min(1).max(UPSTREAM_MODEL_LENGTH_MAX).nullable(),
});

const upstreamModelsResponse = z.object({
  models: answerRows(
    z.object({
      upstreamModel: answerText,
      family: z.enum(families),
      /** Whether the list says what it costs. */
      hasPrice: z.boolean(),
    }),
  ),
});
const importRequest = z.strictObject({
  models: z
    .array(
      z.strictObject({
        id: z.string().trim().min(1).max(MODEL_ID_LENGTH_MAX),
        upstreamModel: z.string().min(1).max(UPSTREAM_MODEL_LENGTH_MAX),
      }),
    )
    .min(1)
    .max(IMPORTED_MODELS_MAX),
  /** Percent over the upstream's price. */
  margin: z.string().trim().min(1).max(MULTIPLIER_LENGTH_MAX),
  /** The upstream's price of text in points, where its list has none. */
  price: z.strictObject({ input: pointsInput, output: pointsInput }).nullable(),
});

const read = { method: "GET", who: "operator", scope: "models:read" } as const;
const write = {
  method: "POST",
  ...byOperator("models:write"),
  proof: "recent",
  answer: modelDetail,
} as const;

export const modelProgramRows = {
  listCatalogue: {
    ...read,
    path: "/api/admin/models",
    command: "model list",
    query: listQuery,
    answer: listResponse,
  },
  createModel: {
    ...write,
    path: "/api/admin/models",
    command: "model create",
    status: 201,
    body: modelFile,
  },
  showModel: { ...read, path: "/api/admin/models/{id}", answer: modelDetail },
  changeModel: {
    ...write,
    path: "/api/admin/models/{id}",
    command: "model change",
    query: z.strictObject({ revision: revision.optional() }),
    body: modelFile,
  },
  mapModel: {
    ...write,
    path: "/api/admin/models/{id}/channels",
    scope: "channels:write",
    command: "model map",
    body: mapRequest,
  },
  offerModel: {
    ...write,
    path: "/api/admin/models/{id}/offer",
    command: "model offer",
    body: offerRequest,
  },
  restoreModel: {
    ...write,
    path: "/api/admin/models/{id}/restore",
    command: "model restore",
    body: offerRequest,
  },
  retireModel: {
    ...write,
    path: "/api/admin/models/{id}/retire",
    command: "model retire",
    body: retireRequest,
  },
} as const satisfies PageEndpoints;

export const modelEndpoints = {
  ...modelProgramRows,
  listUpstreamModels: {
    ...read,
    path: "/api/admin/channels/{id}/models",
    answer: upstreamModelsResponse,
  },
  importModels: {
    ...write,
    path: "/api/admin/channels/{id}/models",
    command: "model import",
    body: importRequest,
    answer: z.object({ models: answerRows(modelRow) }),
  },
} as const satisfies PageEndpoints;

export type ModelRowView = z.infer<typeof modelRow>;
export type ModelDetail = z.infer<typeof modelDetail>;

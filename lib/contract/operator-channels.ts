/** Requests of the operators' channels page to `/api/admin/channels`, and their answers. */

import { z } from "zod";
import { answerRows, answerText, moment, recordOf } from "./bounds";
import { channelRefusals, type ProfilePart, streamSettings } from "./channel-profile";
import { outputCaps } from "./chat-fields";
import {
  ALLOWED_FIELDS_MAX,
  BASE_URL_LENGTH_MAX,
  CHANNEL_CREDENTIALS_MAX,
  CHANNEL_HEADERS_MAX,
  HEADER_NAME_MAX,
  HEADER_VALUE_MAX,
  MODEL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PROXY_LENGTH_MAX,
  UPSTREAM_KEY_LENGTH_MAX,
  UPSTREAM_MODEL_LENGTH_MAX,
} from "./limits";
import { byOperator, get, type PageEndpoints, patch, post, remove } from "./page-endpoint";
import { reads } from "./reads";
import { shownName } from "./shown-text";
import { channelProtocols, channelStates } from "./states";
import { unservedModels } from "./unserved";

const attempts = z.object({ succeeded: z.number(), failed: z.number(), refused: z.number() });

/** A part that is absent could not be found out. */
const parts = {
  plainUsage: z.boolean().optional(),
  streamUsage: z.boolean().optional(),
  maxTokens: z.boolean().optional(),
  maxCompletionTokens: z.boolean().optional(),
  tools: z.boolean().optional(),
  images: z.boolean().optional(),
  modelList: z.boolean().optional(),
} satisfies Record<ProfilePart, z.ZodType>;
const profile = z.object({
  ...parts,
  reads: reads.optional(),
  caps: recordOf(z.number()).optional(),
});

export const channel = z.object({
  id: answerText,
  name: answerText,
  protocol: z.enum(channelProtocols),
  baseUrl: answerText,
  /** Sent to the upstream beside the relay's own. */
  headers: recordOf(answerText),
  /** Without its user and password, which are never returned. */
  proxy: answerText.nullable(),
  hasProxyUser: z.boolean(),
  /** Catalogue identifier → the upstream's name for it. */
  models: recordOf(answerText),
  state: z.enum(channelStates),
  hasApiKey: z.boolean(),
  /** Nothing else about the credential is ever returned. */
  credentialSetAt: moment.nullable(),
  /** The share of the channel's own credential, where it has further ones. */
  credentialWeight: z.number(),
  credentials: answerRows(z.object({ name: answerText, weight: z.number(), setAt: moment })),
  drainingSince: moment.nullable(),
  createdAt: moment,
  /** 0: no limit. */
  requestsPerSecond: z.number(),
  requestsPerMinute: z.number(),
  priority: z.number(),
  weight: z.number(),
  timeoutSeconds: z.number().nullable(),
  /** Chat fields that are passed in addition to the usual ones. */
  allowedFields: answerRows(answerText),
  /** Null for the protocol's default. */
  outputCap: z.enum(outputCaps).nullable(),
  /** What tests have found out, and when last; null when the channel was not tested. */
  profile: profile.nullable(),
  profiledAt: moment.nullable(),
  /** Why the channel serves no text; null when it does. */
  refusal: z.enum(channelRefusals).nullable(),
  streams: z.enum(streamSettings),
  health: z.object({
    last15Minutes: attempts,
    last24Hours: attempts,
    /** Of the last hour. */
    latencyMedianMs: z.number().nullable(),
    latency95Ms: z.number().nullable(),
    /** The share of the last day's input that the upstream had cached; null where it does not say. */
    cachedShare: z.number().nullable(),
    lastError: z.object({ text: answerText, at: moment }).nullable(),
    inFlight: z.number(),
    openTasks: z.number(),
    cooldownUntil: moment.nullable(),
    /** Of several credentials, those that cools down alone; the channel's own is `main`. */
    coolingDown: answerRows(z.object({ name: answerText, until: moment })),
  }),
});
/** In the order in which they are tried. */
const channelsResponse = z.object({ channels: answerRows(channel), unserved: unservedModels });
const channelResponse = z.object({ channel });

/** All identifiers and aliases of the catalogue, with a margin. */
const CHANNEL_MODELS_MAX = 100;

const name = shownName(NAME_LENGTH_MAX);
const baseUrl = z.string().trim().min(1).max(BASE_URL_LENGTH_MAX);
const apiKey = z.string().min(1).max(UPSTREAM_KEY_LENGTH_MAX).nullable();
const models = recordOf(
  z.string().max(UPSTREAM_MODEL_LENGTH_MAX),
  CHANNEL_MODELS_MAX,
  MODEL_LENGTH_MAX,
);
/** All further credentials; one without a key keeps the present one of its name. */
const credentials = z
  .array(
    z.strictObject({
      name: z.string().max(NAME_LENGTH_MAX),
      weight: z.number().int().optional(),
      apiKey: z.string().min(1).max(UPSTREAM_KEY_LENGTH_MAX).optional(),
    }),
  )
  .max(CHANNEL_CREDENTIALS_MAX)
  .optional();
/** All of them: an empty object removes those that were set. */
const headers = recordOf(
  z.string().max(HEADER_VALUE_MAX),
  CHANNEL_HEADERS_MAX,
  HEADER_NAME_MAX,
).optional();
const bounds = {
  headers,
  /** With a user and a password where the proxy needs them; the same address without keeps them. */
  proxy: z.string().max(PROXY_LENGTH_MAX).nullable().optional(),
  credentials,
  credentialWeight: z.number().int().optional(),
  requestsPerSecond: z.number().int().optional(),
  requestsPerMinute: z.number().int().optional(),
  priority: z.number().int().optional(),
  weight: z.number().int().optional(),
  timeoutSeconds: z.number().int().nullable().optional(),
  allowedFields: z.array(z.string().max(NAME_LENGTH_MAX)).max(ALLOWED_FIELDS_MAX).optional(),
  outputCap: z.enum(outputCaps).nullable().optional(),
  streams: z.enum(streamSettings).optional(),
};
const createChannelRequest = z.strictObject({
  name,
  protocol: z.enum(channelProtocols),
  baseUrl,
  apiKey,
  models,
  ...bounds,
});
/** Absent fields stay unchanged; `apiKey: null` removes the credential. */
const changeChannelRequest = z.strictObject({
  name: name.optional(),
  baseUrl: baseUrl.optional(),
  apiKey: apiKey.optional(),
  models: models.optional(),
  ...bounds,
});
const channelStateRequest = z.strictObject({ state: z.enum(channelStates) });

/** `isReal`: orders a real image or video; a chat test is always real. */
const testChannelRequest = z.strictObject({
  model: z.string().max(MODEL_LENGTH_MAX),
  isReal: z.boolean(),
  /** Of several, by name. */
  credential: z.string().max(NAME_LENGTH_MAX).optional(),
});
const testChannelResponse = z.object({
  model: answerText,
  upstreamModel: answerText,
  stage: z.enum(["answered", "accepted", "reached"]),
  latencyMs: z.number(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  failure: z
    .object({
      /** The error code that an API client would get. */
      code: answerText,
      /** The upstream's status and short codes. */
      internal: answerText,
      isOperatorFault: z.boolean(),
    })
    .nullable(),
  cancelled: z.enum(["cancelled", "running", "ended", "unknown"]).nullable(),
  profile: profile.nullable(),
  /** False when nothing was found out, or the channel was changed during the test. */
  isStored: z.boolean(),
});
const removeChannelResponse = z.object({ result: z.enum(["deleted", "archived"]) });

export const channelEndpoints = {
  listChannels: {
    ...get("/api/admin/channels", byOperator("channels:read")),
    answer: channelsResponse,
  },
  createChannel: {
    ...post("/api/admin/channels", byOperator("channels:write")),
    command: "channel create",
    proof: "recent",
    status: 201,
    body: createChannelRequest,
    answer: channelResponse,
  },
  changeChannel: {
    ...patch("/api/admin/channels/{id}", byOperator("channels:write")),
    command: "channel edit",
    proof: "recent",
    body: changeChannelRequest,
    answer: channelResponse,
  },
  removeChannel: {
    ...remove("/api/admin/channels/{id}", byOperator("channels:write")),
    command: "channel remove",
    proof: "recent",
    answer: removeChannelResponse,
  },
  setChannelState: {
    ...post("/api/admin/channels/{id}/state", byOperator("channels:write")),
    command: "channel disable",
    proof: "recent",
    body: channelStateRequest,
    answer: channelResponse,
  },
  testChannel: {
    ...post("/api/admin/channels/{id}/test", byOperator("channels:write")),
    command: "channel test",
    proof: "recent",
    body: testChannelRequest,
    answer: testChannelResponse,
  },
} as const satisfies PageEndpoints;

export type ChannelView = z.infer<typeof channel>;
export type ChannelTestView = z.infer<typeof testChannelResponse>;
export type CreateChannelBody = z.input<typeof createChannelRequest>;
export type ChangeChannelBody = z.input<typeof changeChannelRequest>;

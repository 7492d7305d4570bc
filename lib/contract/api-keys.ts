/** Requests to `/api/keys` and their answers. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import {
  ADDRESS_LENGTH_MAX,
  KEY_ADDRESSES_MAX,
  KEY_MODELS_MAX,
  KEY_RUNNING_MAX,
  KEY_TOKENS_MAX,
  MODEL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  REQUESTS_PER_MINUTE_MAX,
} from "./limits";
import { byUser, get, type PageEndpoints, patch, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { givenBudgets, renewingBudgets } from "./renewing-budgets";
import { shownName } from "./shown-text";
import { apiKeyStatuses } from "./states";
import { wireNamed } from "./wire-forms";

const count = z.number().int().nullable();

export const apiKey = z.object({
  id: answerText,
  name: answerText,
  /** The first 12 and the last 4 characters, such as `sk-rly-7Qm2v…0kRd`. */
  hint: answerText,
  status: z.enum(apiKeyStatuses),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  requestsPerMinute: z.number().int(),
  /** The points that the key may spend in its lifetime; null for no limit. */
  budget: points.nullable(),
  /** The points within an hour above which it is paused; null for never. */
  hourlySpendMax: points.nullable(),
  /** What it had spent within the hour when it was paused; null when it is not paused. */
  pausedSpend: points.nullable(),
  /** Catalogue identifiers; empty for all. */
  models: answerRows(answerText),
  /** The member who made it; the address of one who left is still known until it is erased. */
  maker: z.object({ id: answerText, email: answerText.nullable() }).nullable(),
  /** Network addresses and ranges; empty for all. */
  allowedAddresses: answerRows(answerText),
  budgets: renewingBudgets(),
  /** The zone of those budgets; null without one. */
  budgetZone: answerText.nullable(),
  concurrentMax: count.clone().register(wireNamed, { name: "concurrent_requests_max" }),
  /** Its requests that hold points now; null without such a limit. */
  concurrentNow: count.clone().register(wireNamed, { name: "concurrent_requests" }),
  tokensPerMinute: count,
  /** Of this minute; null without such a limit. */
  tokensLeft: count.clone().register(wireNamed, { name: "remaining_tokens" }),
  spent: points,
  spent30Days: points,
  /** Of the last 14 UTC days, today last. */
  spentByDay: answerRows(points),
});
export const keysResponse = z.object({
  keys: answerRows(apiKey),
  /** The default limits of a new key. */
  defaults: z.object({ requestsPerMinute: z.number().int(), budget: points.nullable() }),
});

const keyLimits = {
  requestsPerMinute: z.number().int().min(1).max(REQUESTS_PER_MINUTE_MAX).optional(),
  budget: pointsInput.nullable().optional(),
  models: z.array(z.string().max(MODEL_LENGTH_MAX)).max(KEY_MODELS_MAX).optional(),
  allowedAddresses: z.array(z.string().max(ADDRESS_LENGTH_MAX)).max(KEY_ADDRESSES_MAX).optional(),
  ...givenBudgets,
  concurrentMax: z
    .number()
    .int()
    .min(1)
    .max(KEY_RUNNING_MAX)
    .nullable()
    .optional()
    .register(wireNamed, { name: "concurrent_requests_max" }),
  tokensPerMinute: z.number().int().min(1).max(KEY_TOKENS_MAX).nullable().optional(),
  expiresAt: moment.nullable().optional(),
  hourlySpendMax: pointsInput
    .refine((text) => /[1-9]/.test(text), "it must be a number of points above zero, or null")
    .nullable()
    .optional(),
};
export const createKeyRequest = z.strictObject({
  name: shownName(NAME_LENGTH_MAX),
  ...keyLimits,
});
/** `secret` is in this answer only. */
const createKeyResponse = z.object({ key: apiKey, secret: answerText });
export const changeKeyRequest = z.strictObject({
  name: shownName(NAME_LENGTH_MAX).optional(),
  ...keyLimits,
});
const keyResponse = z.object({ key: apiKey });

export const keyEndpoints = {
  listKeys: {
    ...get("/api/keys", byUser("readKeys")),
    sameAs: "listApiKeys",
    answer: keysResponse,
  },
  createKey: {
    ...post("/api/keys", byUser("makeKeys")),
    sameAs: "createApiKey",
    command: "key create",
    status: 201,
    body: createKeyRequest,
    answer: createKeyResponse,
  },
  changeKey: {
    ...patch("/api/keys/{id}", byUser("makeKeys")),
    sameAs: "changeApiKey",
    command: "key change",
    body: changeKeyRequest,
    answer: keyResponse,
  },
  revokeKey: {
    ...post("/api/keys/{id}/revoke", byUser("makeKeys")),
    sameAs: "revokeApiKey",
    command: "key revoke",
    answer: keyResponse,
  },
  resumeKey: {
    ...post("/api/keys/{id}/resume", byUser("makeKeys")),
    sameAs: "changeApiKey",
    command: "key resume",
    answer: keyResponse,
  },
} as const satisfies PageEndpoints;

export type ApiKeyView = z.infer<typeof apiKey>;
export type KeyDefaultsView = z.infer<typeof keysResponse>["defaults"];

/**
 * What our own pages ask of `/api/…` (session sign-in) and what they get. Bodies refuse unknown fields.
 * Points travel as strings with six decimals, moments as ISO 8601 in UTC.
 */
import { z } from "zod";
import { amountPattern } from "../points";
import { answerRows, answerText, moment } from "./bounds";
import {
  CURSOR_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  INVITE_CODE_LENGTH_MAX,
  KEY_MODELS_MAX,
  MODEL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  POINTS_LENGTH_MAX,
  REQUESTS_PER_MINUTE_MAX,
  VOUCHER_CODE_LENGTH_MAX,
} from "./limits";
import { apiKeyStatuses, entryKinds, families, historyKinds, holdStates, requestSources, welcomeWithheldReasons } from "./states";

export const points = z
  .string()
  .max(40)
  .regex(/^-?\d+\.\d{6}$/);
const email = z.email().max(EMAIL_LENGTH_MAX);
const newPassword = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX);
export const pointsInput = z.string().max(POINTS_LENGTH_MAX).regex(amountPattern);

export const signUpRequest = z.strictObject({
  email,
  password: newPassword,
  name: z.string().trim().min(1).max(NAME_LENGTH_MAX).optional(),
  /** The code of an invitation. */
  invite: z.string().min(1).max(INVITE_CODE_LENGTH_MAX).optional(),
});
export const signUpResponse = z.object({ user: z.object({ id: answerText, email: answerText }) });

export const changePasswordRequest = z.strictObject({ currentPassword: z.string().max(PASSWORD_LENGTH_MAX).optional(), newPassword });
export const changePasswordResponse = z.object({ changed: z.literal(true) });

export const signOutEverywhereResponse = z.object({ ended: z.literal(true) });

export const meResponse = z.object({
  user: z.object({ id: answerText, email: answerText, name: answerText.nullable(), isOperator: z.boolean(), hasPassword: z.boolean() }),
  account: z.object({
    id: answerText,
    /** Decimal text such as `0.85`. */
    multiplier: answerText,
    modelMultipliers: answerRows(z.object({ model: answerText, multiplier: answerText })),
    /** Available points below which the pages say so; null: never. */
    lowBalanceNotice: points.nullable(),
    joinsRetries: z.boolean(),
    /** Why it has no welcome points, or not yet: too many accounts of its address or mail domain, or its mail address is not proved. */
    welcomeWithheld: z.enum(welcomeWithheldReasons).nullable(),
    /** Set while the account may not work. */
    suspension: z.object({ at: moment, reason: answerText }).nullable(),
  }),
  balance: z.object({ available: points, held: points, openHolds: z.number().int() }),
  statement: z.object({ toppedUp: points, charged: points, chargedThisMonth: points, takenBack: points }),
});

export const apiKey = z.object({
  id: answerText,
  name: answerText,
  /** First 12 and last 4 characters, such as `sk-rly-7Qm2v…0kRd`. */
  hint: answerText,
  status: z.enum(apiKeyStatuses),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
  revokedAt: moment.nullable(),
  requestsPerMinute: z.number().int(),
  /** Points the key may spend in its life; null: no limit of its own. */
  budget: points.nullable(),
  /** Points within an hour above which it is paused; null: never. */
  hourlySpendMax: points.nullable(),
  /** What it had spent within the hour when it was paused; null: it is not. */
  pausedSpend: points.nullable(),
  /** Catalogue identifiers; empty: all. */
  models: answerRows(answerText),
  spent: points,
  spent30Days: points,
  /** Of the last 14 UTC days, the last one today. */
  spentByDay: answerRows(points),
});
export const keysResponse = z.object({
  keys: answerRows(apiKey),
  /** What a new key gets where it is not said. */
  defaults: z.object({ requestsPerMinute: z.number().int(), budget: points.nullable() }),
});

const keyLimits = {
  requestsPerMinute: z.number().int().min(1).max(REQUESTS_PER_MINUTE_MAX).optional(),
  budget: pointsInput.nullable().optional(),
  models: z.array(z.string().max(MODEL_LENGTH_MAX)).max(KEY_MODELS_MAX).optional(),
  expiresAt: moment.nullable().optional(),
  hourlySpendMax: pointsInput
    .refine((text) => /[1-9]/.test(text), "Send a number of points above zero, or null.")
    .nullable()
    .optional(),
};
export const createKeyRequest = z.strictObject({ name: z.string().trim().min(1).max(NAME_LENGTH_MAX), ...keyLimits });
/** `secret` is in this one answer only. */
export const createKeyResponse = z.object({ key: apiKey, secret: answerText });
export const changeKeyRequest = z.strictObject({ name: z.string().trim().min(1).max(NAME_LENGTH_MAX).optional(), ...keyLimits });
export const keyResponse = z.object({ key: apiKey });

/** One line of the account's history: a request with its settlement line, or a credit. */
export const entry = z.object({
  id: answerText,
  kind: z.enum(entryKinds),
  at: moment,
  /** What the balance changed by: negative for a charge, zero while held or when released. */
  amount: points,
  reason: answerText.nullable(),
  request: z
    .object({
      requestId: answerText,
      source: z.enum(requestSources),
      keyName: answerText.nullable(),
      model: answerText,
      family: z.enum(families),
      state: z.enum(holdStates),
      quoted: points,
      held: points,
      settled: points.nullable(),
      inputTokens: z.number().int().nullable(),
      outputTokens: z.number().int().nullable(),
      endedAt: moment.nullable(),
      durationMs: z.number().int().nullable(),
    })
    .nullable(),
});
/** Newest first; `nextCursor` is null on the last page. */
export const entriesResponse = z.object({ entries: answerRows(entry), nextCursor: answerText.nullable() });
export const entriesQuery = z.object({
  cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
  kind: z.enum(historyKinds).default("all"),
});

export const redeemVoucherRequest = z.strictObject({ code: z.string().trim().min(4).max(VOUCHER_CODE_LENGTH_MAX) });
export const redeemVoucherResponse = z.object({ points, balance: z.object({ available: points, held: points }) });

export const modelPrice = z.object({
  model: answerText,
  alias: answerText,
  family: z.enum(families),
  /** Points per million tokens; null where the model bills no input, or where no price is set. */
  input: points.nullable(),
  output: points.nullable(),
  /** The signed-in account's own prices beside the list; null without a session. */
  own: z.object({ multiplier: answerText, input: points.nullable(), output: points }).nullable(),
  effectiveAt: moment.nullable(),
  /** The list price to come next, and from when on; null: none is known. */
  next: z.object({ input: points.nullable(), output: points, effectiveAt: moment }).nullable(),
});
export const pricesResponse = z.object({ prices: answerRows(modelPrice) });

export type Me = z.infer<typeof meResponse>;
export type ApiKeyView = z.infer<typeof apiKey>;
export type KeyDefaultsView = z.infer<typeof keysResponse>["defaults"];
export type EntryView = z.infer<typeof entry>;
export type ModelPriceView = z.infer<typeof modelPrice>;

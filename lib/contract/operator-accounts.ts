/**
 * Requests of the operators' pages about accounts to `/api/admin/…`, and their answers.
 */

import { z } from "zod";
import { apiKey } from "./api-keys";
import { answerRows, answerText, done, moment } from "./bounds";
import { entriesQuery, entriesResponse } from "./entries";
import {
  CURSOR_LENGTH_MAX,
  ID_LENGTH_MAX,
  MODEL_LENGTH_MAX,
  MULTIPLIER_LENGTH_MAX,
  NAME_LENGTH_MAX,
  REASON_LENGTH_MAX,
  REF_LENGTH_MAX,
  REQUESTS_PER_MINUTE_MAX,
  SEARCH_LENGTH_MAX,
} from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { points, pointsChange, pointsInput } from "./points";
import { shownName } from "./shown-text";
import { accountStatuses, memberRoles } from "./states";
import { email } from "./users";

export const cursor = z.string().max(CURSOR_LENGTH_MAX).optional();
const reason = shownName(REASON_LENGTH_MAX);
/** Chosen by the caller once per action, so that a request that is sent twice takes effect once. */
const ref = z
  .string()
  .max(REF_LENGTH_MAX)
  .regex(/^[\x21-\x7e]+$/, "it must be printable ASCII characters without spaces");
const multiplier = z.string().trim().max(MULTIPLIER_LENGTH_MAX);

export const accountsQuery = z.object({
  /**
   * An email address or a part of it; the id of an account, key, request or task; or the start of a
   * key.
   */
  q: z.string().trim().max(SEARCH_LENGTH_MAX).optional(),
  status: z.enum(accountStatuses).optional(),
  operators: z.literal("yes").optional(),
  cursor,
});

const accountLine = z.object({
  id: answerText,
  email: answerText.nullable(),
  /** Null where it has none of its own. */
  name: answerText.nullable(),
  status: z.enum(accountStatuses),
  isOperator: z.boolean(),
  createdAt: moment,
  available: points,
  held: points,
  openHolds: z.number().int(),
  /** The charges of the last 30 days (UTC). */
  spent: points,
  /** When one of its people was last here, or one of its keys was used; null for never. */
  lastSeenAt: moment.nullable(),
  /** For all models: the account's own, else its group's. */
  multiplier: answerText,
  group: z.object({ id: answerText, name: answerText }).nullable(),
});
/** Newest first; `nextCursor` is null on the last page. */
const accountsResponse = z.object({
  accounts: answerRows(accountLine),
  nextCursor: answerText.nullable(),
});

export const accountResponse = z.object({
  account: accountLine.extend({
    suspension: z.object({ at: moment, reason: answerText }).nullable(),
    /** Null where it has none of its own. */
    ownMultiplier: answerText.nullable(),
    modelMultipliers: answerRows(z.object({ model: answerText, multiplier: answerText })),
    /** For new keys without a limit of their own; null for the installation's default. */
    keyRequestsPerMinute: z.number().int().nullable(),
    toppedUp: points,
    charged: points,
    takenBack: points,
  }),
  people: answerRows(
    z.object({
      id: answerText,
      role: z.enum(memberRoles),
      email: answerText,
      name: answerText.nullable(),
      isOperator: z.boolean(),
      createdAt: moment,
      sessions: answerRows(
        z.object({
          id: answerText,
          lastSeenAt: moment,
          address: answerText.nullable(),
          userAgent: answerText.nullable(),
        }),
      ),
    }),
  ),
  keys: answerRows(apiKey),
  /** Charged requests of the last 30 UTC days by model, the most expensive first. */
  usage: answerRows(z.object({ model: answerText, requests: z.number().int(), charged: points })),
});

export const accountEntriesQuery = entriesQuery;

const adjustRequest = z.strictObject({ points: pointsChange, reason, ref });
/** Without a password: its user asks for a link to set one, or signs in by another service. */
const createAccountRequest = z.strictObject({
  email: email,
  name: shownName(NAME_LENGTH_MAX).nullable().optional(),
});
const createAccountResponse = z.object({ accountId: answerText, userId: answerText });

const adjustResponse = z.object({ entryId: answerText, isNew: z.boolean(), available: points });

/** `points` null: everything that is left of the charge. */
export const refundRequest = z.strictObject({ points: pointsInput.nullable(), reason, ref });
export const refundResponse = z.object({
  entryId: answerText,
  isNew: z.boolean(),
  points,
  refunded: points,
});

/** `model` null: the account's own multiplier. `multiplier` null removes the one of its own. */
const multiplierRequest = z.strictObject({
  model: z.string().max(MODEL_LENGTH_MAX).nullable(),
  multiplier: multiplier.nullable(),
  reason,
});
const accountLimitsRequest = z.strictObject({
  requestsPerMinute: z.number().int().min(1).max(REQUESTS_PER_MINUTE_MAX).nullable(),
});
/** `group` null takes the account out of its group. */
const accountGroupRequest = z.strictObject({
  group: z.string().min(1).max(ID_LENGTH_MAX).nullable(),
  reason,
});
const suspendRequest = z.strictObject({ reason });

const accountReads = {
  listAccounts: {
    ...get("/api/admin/accounts", byOperator("accounts:read")),
    query: accountsQuery,
    answer: accountsResponse,
  },
  showAccount: {
    ...get("/api/admin/accounts/{id}", byOperator("accounts:read")),
    answer: accountResponse,
  },
} as const satisfies PageEndpoints;

/** What the command line has too. */
export const accountProgramRows = {
  createAccount: {
    ...post("/api/admin/accounts", byOperator("accounts:write")),
    command: "account create",
    proof: "recent",
    status: 201,
    body: createAccountRequest,
    answer: createAccountResponse,
  },
  listAccountEntries: {
    ...get("/api/admin/accounts/{id}/entries", byOperator("accounts:read")),
    query: accountEntriesQuery,
    answer: entriesResponse,
  },
  adjustPoints: {
    ...post("/api/admin/accounts/{id}/adjust", byOperator("points:write")),
    command: "account credit",
    proof: "recent",
    body: adjustRequest,
    answer: adjustResponse,
  },
  changeMultiplier: {
    ...post("/api/admin/accounts/{id}/multiplier", byOperator("prices:write")),
    command: "account multiplier",
    proof: "recent",
    body: multiplierRequest,
    answer: done,
  },
  changeAccountGroup: {
    ...post("/api/admin/accounts/{id}/group", byOperator("prices:write")),
    command: "account group",
    proof: "recent",
    body: accountGroupRequest,
    answer: done,
  },
  changeKeyDefault: {
    ...post("/api/admin/accounts/{id}/limits", byOperator("accounts:write")),
    command: "account limits",
    proof: "recent",
    body: accountLimitsRequest,
    answer: done,
  },
  suspendAccount: {
    ...post("/api/admin/accounts/{id}/suspend", byOperator("accounts:write")),
    command: "account suspend",
    proof: "recent",
    body: suspendRequest,
    answer: done,
  },
  resumeAccount: {
    ...post("/api/admin/accounts/{id}/resume", byOperator("accounts:write")),
    command: "account resume",
    proof: "recent",
    answer: done,
  },
  revokeAccountKey: {
    ...post("/api/admin/keys/{id}/revoke", byOperator("accounts:write")),
    command: "key revoke",
    proof: "recent",
    answer: done,
  },
  endAccountSession: {
    ...post("/api/admin/sessions/{id}/end", { who: "operator", noKey: "sessions" }),
    command: "session end",
    proof: "recent",
    answer: done,
  },
} as const satisfies PageEndpoints;

export const accountEndpoints = { ...accountReads, ...accountProgramRows };

export type AccountLine = z.infer<typeof accountLine>;
export type AccountView = z.infer<typeof accountResponse>;

/** Requests of the operators' pages to `/api/admin/operator-keys`, and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { NAME_LENGTH_MAX } from "./limits";
import { get, type PageEndpoints, post } from "./page-endpoint";
import { shownName } from "./shown-text";
import { apiKeyStatuses, operatorScopes } from "./states";

const scope = z.enum(operatorScopes);

const operatorKey = z.object({
  id: answerText,
  name: answerText,
  /** The prefix, and the first and last characters, such as `sk-rly-op-7Qm2v…0kRd`. */
  hint: answerText,
  status: z.enum(apiKeyStatuses).exclude(["paused"]),
  scopes: answerRows(scope),
  /** The email address of the operator who made it. */
  madeBy: answerText,
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
});

const createOperatorKeyRequest = z.strictObject({
  name: shownName(NAME_LENGTH_MAX),
  scopes: z.array(scope).min(1).max(operatorScopes.length),
  expiresAt: moment.nullable().optional(),
});

const one = z.object({ key: operatorKey });

export const operatorKeyEndpoints = {
  listOperatorKeys: {
    ...get("/api/admin/operator-keys", { who: "operator", noKey: "makesKeys" }),
    command: "operator-key list",
    answer: z.object({ keys: answerRows(operatorKey) }),
  },
  createOperatorKey: {
    ...post("/api/admin/operator-keys", { who: "operator", noKey: "makesKeys" }),
    command: "operator-key create",
    proof: "recent",
    status: 201,
    body: createOperatorKeyRequest,
    // `secret` is in this answer only.
    answer: one.extend({ secret: answerText }),
  },
  revokeOperatorKey: {
    ...post("/api/admin/operator-keys/{id}/revoke", { who: "operator", noKey: "makesKeys" }),
    command: "operator-key revoke",
    proof: "recent",
    answer: one,
  },
} as const satisfies PageEndpoints;

export type OperatorKeyView = z.infer<typeof operatorKey>;
export type CreateOperatorKey = z.infer<typeof createOperatorKeyRequest>;

/** Requests to `/api/management-keys` and their answers. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { NAME_LENGTH_MAX } from "./limits";
import { keepsKeys } from "./members";
import { byUser, get, type PageEndpoints, post } from "./page-endpoint";
import { shownName } from "./shown-text";
import { apiKeyStatuses, managementScopes } from "./states";

const scope = z.enum(managementScopes);

const managementKey = z.object({
  id: answerText,
  name: answerText,
  /** The prefix, and the first and last characters, such as `sk-rly-mgmt-7Qm2v…0kRd`. */
  hint: answerText,
  status: z.enum(apiKeyStatuses).exclude(["paused"]),
  scopes: answerRows(scope),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  expiresAt: moment.nullable(),
  /** API keys in use that it made, and webhooks in use that lead where it wished. */
  made: z.number().int(),
});

const createManagementKeyRequest = z.strictObject({
  name: shownName(NAME_LENGTH_MAX),
  scopes: z.array(scope).min(1).max(managementScopes.length),
  expiresAt: moment.nullable().optional(),
});

const one = z.object({ key: managementKey });

export const managementKeyEndpoints = {
  listManagementKeys: {
    ...get("/api/management-keys", byUser("manageByApi")),
    noKey: "makesKeys",
    command: "management-key list",
    answer: z.object({ keys: answerRows(managementKey) }),
  },
  createManagementKey: {
    ...post("/api/management-keys", byUser("manageByApi")),
    noKey: "makesKeys",
    command: "management-key create",
    proof: "recent",
    status: 201,
    body: createManagementKeyRequest,
    // `secret` is in this answer only.
    answer: one.extend({ secret: answerText }),
  },
  revokeManagementKey: {
    ...post("/api/management-keys/{id}/revoke", byUser("manageByApi")),
    noKey: "makesKeys",
    command: "management-key revoke",
    body: z.strictObject({ keepsKeys }),
    answer: one,
  },
} as const satisfies PageEndpoints;

export type ManagementKeyView = z.infer<typeof managementKey>;
export type CreateManagementKey = z.infer<typeof createManagementKeyRequest>;

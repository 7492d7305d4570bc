/** Requests of the operators' pages about invitations, and their answers. */

import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { INVITE_DAYS_MAX, NOTE_LENGTH_MAX } from "./limits";
import { cursor } from "./operator-accounts";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { points, pointsInput } from "./points";
import { shownName } from "./shown-text";
import { inviteStatuses } from "./states";

const invite = z.object({
  id: answerText,
  note: answerText.nullable(),
  /** Null for the welcome grant. */
  points: points.nullable(),
  status: z.enum(inviteStatuses),
  createdBy: answerText,
  createdAt: moment,
  expiresAt: moment,
  usedAt: moment.nullable(),
  accountId: answerText.nullable(),
  accountEmail: answerText.nullable(),
});
const invitesQuery = z.object({ cursor });
const invitesResponse = z.object({
  invites: answerRows(invite),
  nextCursor: answerText.nullable(),
});
const INVITE_DAYS = 7;
const createInviteRequest = z.strictObject({
  note: shownName(NOTE_LENGTH_MAX).nullable(),
  points: pointsInput.nullable(),
  days: z.number().int().min(1).max(INVITE_DAYS_MAX).default(INVITE_DAYS),
});
/** `link` is in this answer only. */
const createInviteResponse = z.object({ invite, link: answerText });
const inviteResponse = z.object({ invite });

// An invitation can carry points, so it takes their scope.
export const inviteEndpoints = {
  listInvites: {
    ...get("/api/admin/invites", byOperator("accounts:read")),
    command: "invite list",
    query: invitesQuery,
    answer: invitesResponse,
  },
  createInvite: {
    ...post("/api/admin/invites", byOperator("points:write")),
    command: "invite create",
    proof: "recent",
    status: 201,
    body: createInviteRequest,
    answer: createInviteResponse,
  },
  revokeInvite: {
    ...post("/api/admin/invites/{id}/revoke", byOperator("points:write")),
    command: "invite revoke",
    proof: "recent",
    answer: inviteResponse,
  },
} as const satisfies PageEndpoints;

export type InviteView = z.infer<typeof invite>;

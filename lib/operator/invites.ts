import type { z } from "zod";
import { inviteLink, listInvites, type StoredInvite } from "../accounts/invites";
import { createInvite, revokeInvite } from "../commands/invites";
import type { createInviteRequest, InviteView, invitesQuery } from "../contract/operator-accounts";
import { formatPoints } from "../points";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";

function statusOf({ usedAt, revokedAt, expiresAt }: StoredInvite): InviteView["status"] {
  if (usedAt !== null) return "used";
  if (revokedAt !== null) return "revoked";
  return expiresAt.getTime() <= Date.now() ? "expired" : "open";
}

const viewOf = (invite: StoredInvite): InviteView => ({
  id: invite.id,
  note: invite.note,
  points: invite.points === null ? null : formatPoints(invite.points),
  status: statusOf(invite),
  createdBy: invite.createdBy,
  createdAt: invite.createdAt.toISOString(),
  expiresAt: invite.expiresAt.toISOString(),
  usedAt: invite.usedAt?.toISOString() ?? null,
  accountId: invite.usedAccountId,
});

export async function listAllInvites({ parts, query }: Call<unknown, z.output<typeof invitesQuery>>) {
  const { invites, nextCursor } = await listInvites(parts.database, query.cursor);
  return { invites: invites.map(viewOf), nextCursor };
}

export async function inviteSomeone({ parts, body, user }: Call<z.output<typeof createInviteRequest>>) {
  const { note, days } = body;
  const points = body.points === null ? null : requestedPoints("points", body.points);
  const { invite, code } = await createInvite(parts, user().userId, { note, points, days });
  return { invite: viewOf(invite), link: inviteLink(parts.settings.publicUrl, code) };
}

export async function takeInviteBack({ parts, id, user }: Call) {
  return { invite: viewOf(await revokeInvite(parts, user().userId, { id })) };
}

import { findInvite, listInvites, type StoredInvite } from "../accounts/invites";
import { INVITE_CODE_LENGTH_MAX } from "../contract/limits";
import type { InviteView } from "../contract/operator-invites";
import { formatPoints } from "../money/points";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "database">;

/**
 * What a visitor with an invitation sees before creating an account; null when the code is no
 * longer valid.
 */
export async function showInvitation(
  { database }: Deps,
  code: string,
): Promise<{ code: string; points: string | null } | null> {
  const invite = code.length > INVITE_CODE_LENGTH_MAX ? null : await findInvite(database, code);
  return invite === null
    ? null
    : { code, points: invite.points === null ? null : formatPoints(invite.points) };
}

function statusOf({ usedAt, revokedAt, expiresAt }: StoredInvite): InviteView["status"] {
  if (usedAt !== null) return "used";
  if (revokedAt !== null) return "revoked";
  return expiresAt.getTime() <= Date.now() ? "expired" : "open";
}

/** An invitation as operators see it. `accountEmail`: whose account was created with it. */
export const inviteView = (
  invite: StoredInvite,
  accountEmail: string | null = null,
): InviteView => ({
  id: invite.id,
  note: invite.note,
  points: invite.points === null ? null : formatPoints(invite.points),
  status: statusOf(invite),
  createdBy: invite.createdBy,
  createdAt: invite.createdAt.toISOString(),
  expiresAt: invite.expiresAt.toISOString(),
  usedAt: invite.usedAt?.toISOString() ?? null,
  accountId: invite.usedAccountId,
  accountEmail,
});

/** A page of invitations, newest first, at most 100. */
export async function listAllInvites(
  { database }: Deps,
  { cursor }: { cursor?: string | undefined },
) {
  const { invites, nextCursor } = await listInvites(database, cursor);
  const accountIds = invites.flatMap(({ usedAccountId }) => usedAccountId ?? []);
  const owners = await database.accountMember.findMany({
    where: { accountId: { in: accountIds }, role: "owner" },
    select: { accountId: true, user: { select: { email: true } } },
  });
  const emails = new Map(owners.map(({ accountId, user }) => [accountId, user.email]));
  return {
    invites: invites.map((each) => inviteView(each, emails.get(each.usedAccountId ?? ""))),
    nextCursor,
  };
}

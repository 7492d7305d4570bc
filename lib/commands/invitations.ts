/** Invitations to an account: single use, for seven days, stored as the hash of their token. */
import { randomBytes } from "node:crypto";
import { recordAction } from "../accounts/actions";
import {
  hashInvitation,
  type StoredInvitation,
  usableInvitation,
  withoutToken,
} from "../accounts/invitations";
import { lockMembers } from "../accounts/membership";
import { makeOnce } from "../accounts/once-effect";
import {
  ACCOUNTS_PER_USER_MAX,
  INVITATION_DAYS,
  INVITATIONS_OPEN_MAX,
  INVITATIONS_PER_DAY_MAX,
  MEMBERS_PER_ACCOUNT_MAX,
} from "../contract/limits";
import type { MemberRole } from "../contract/states";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { isCountLimit, isUniqueViolation } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

const DAY_MS = 24 * 3_600_000;

interface NewInvitation {
  readonly accountId: string;
  readonly role: Exclude<MemberRole, "owner">;
  /** Only a user with this verified address may accept; null for anyone with the link. */
  readonly email: string | null;
}

function refusedByCount(error: unknown): never {
  if (!isCountLimit(error)) throw error;
  throw new RelayError("invalid_value", {
    message: `An account can have at most ${INVITATIONS_OPEN_MAX} open invitations, and make ${INVITATIONS_PER_DAY_MAX} a day. Revoke one, or wait.`,
    fault: { name: "invitations_open", max: INVITATIONS_OPEN_MAX },
  });
}

/**
 * Invites to an account; `token` is returned only here. Rejects with `role_not_allowed`, and with
 * `invalid_value` beyond the bounds.
 */
export function inviteMember(
  { database }: Deps,
  actor: string,
  { accountId, role, email }: NewInvitation,
): Promise<{ invitation: StoredInvitation; token: string }> {
  return makeOnce(database, async (transaction) => {
    const token = randomBytes(32).toString("base64url");
    const id = newId("invitation");
    const members = await lockMembers(transaction, accountId, actor);
    members.assertGives(role);
    // It ends with the key that makes it.
    const ends = Date.now() + INVITATION_DAYS * DAY_MS;
    const expiresAt = new Date(Math.min(ends, members.actsUntil?.getTime() ?? ends));
    const data = {
      id,
      accountId,
      role,
      email,
      tokenHash: hashInvitation(token),
      createdBy: actor,
      expiresAt,
    };
    const invitation = await transaction.accountInvitation
      .create({ data, omit: withoutToken })
      .catch(refusedByCount);
    await recordAction(transaction, actor, "invitation.create", id, {
      detail: { account: accountId },
      after: { role, email, expiresAt: expiresAt.toISOString() },
    });
    return { invitation, token };
  });
}

/** Revokes an open invitation. Repeating it changes nothing. Rejects with `not_found`. */
export function revokeInvitation(
  { database }: Deps,
  actor: string,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const where = { id, accountId };
    const { count } = await transaction.accountInvitation.updateMany({
      where: { ...where, acceptedAt: null, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) {
      if ((await transaction.accountInvitation.count({ where })) === 0)
        throw new RelayError("not_found", { message: "There is no such invitation." });
      return;
    }
    const detail = { account: accountId };
    await recordAction(transaction, actor, "invitation.revoke", id, { detail });
  });
}

async function assertAddressee(
  transaction: Transaction,
  { email: wanted }: StoredInvitation,
  userId: string,
): Promise<void> {
  if (wanted === null) return;
  const { email, emailVerifiedAt } = await transaction.user.findUniqueOrThrow({
    where: { id: userId },
  });
  if (email !== wanted)
    throw new RelayError("invitation_not_yours", {
      message: "This invitation was sent to another address. Sign in with that one.",
    });
  if (emailVerifiedAt === null)
    throw new RelayError("invitation_not_yours", {
      message: "Confirm your address first: sign in once by a link that is sent to it.",
    });
}

function notJoined(error: unknown): never {
  if (isUniqueViolation(error))
    throw new RelayError("already_exists", {
      message: "You are a member of this account already.",
    });
  if (!isCountLimit(error)) throw error;
  throw new RelayError("invalid_value", {
    message: `An account can have at most ${MEMBERS_PER_ACCOUNT_MAX} members, and a user ${ACCOUNTS_PER_USER_MAX} accounts.`,
    fault: { name: "members_full", max: MEMBERS_PER_ACCOUNT_MAX },
  });
}

/**
 * Makes the user a member by an invitation, which is used up. Of two at once, one is refused.
 * Rejects with `link_invalid`, `invitation_not_yours`, `already_exists`, or `invalid_value` where
 * there is no room; the invitation is then left as it was.
 */
export function acceptInvitation(
  { database }: Deps,
  userId: string,
  { token }: { token: string },
): Promise<{ accountId: string }> {
  return inDatabaseTransaction(database, async (transaction) => {
    const where = usableInvitation(token);
    const [invitation] = await transaction.accountInvitation.updateManyAndReturn({
      where,
      data: { acceptedAt: new Date(), acceptedBy: userId },
      omit: withoutToken,
    });
    if (invitation === undefined) throw new RelayError("link_invalid");
    await assertAddressee(transaction, invitation, userId);
    const { accountId, role } = invitation;
    await transaction.accountMember.create({ data: { accountId, userId, role } }).catch(notJoined);
    await recordAction(transaction, userId, "invitation.accept", invitation.id, {
      detail: { account: accountId },
      after: { role },
    });
    return { accountId };
  });
}

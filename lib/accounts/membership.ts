/** The rules of an account's members, inside the transaction of a change. */
import { scopesToGive } from "../contract/key-roles";
import { may } from "../contract/member-roles";
import {
  type ManagementScope,
  type MemberRole,
  managementScopes,
  memberRoles,
} from "../contract/states";
import { isIdOf, newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { RelayError } from "../failures/relay-error";

export interface LockedMembers {
  readonly ownerId: string;
  /** The member who acts; null for an operator of the installation. */
  readonly actingId: string | null;
  /** When the key ends that acts; null: none does, or it has no end. */
  readonly actsUntil: Date | null;
  /** Rejects with `role_not_allowed` or `scope_missing` for a role that can do more than a key. */
  assertGives(role: MemberRole): void;
  /** Rejects with `not_found` for a user who is not a member. */
  roleOf(userId: string): MemberRole;
}

const missing = () => new RelayError("not_found", { message: "There is no such member." });

interface Acting {
  readonly userId: string | null;
  /** Those of a key; null where none acts. */
  readonly scopes: readonly ManagementScope[] | null;
  readonly until: Date | null;
}

/** A person acts with his own role, and a key with its maker's; the command line has none. */
async function actingOf(transaction: Transaction, actor: string | null): Promise<Acting> {
  const person = { scopes: null, until: null };
  if (actor !== null && isIdOf("user", actor)) return { ...person, userId: actor };
  if (actor === null || !isIdOf("managementKey", actor)) return { ...person, userId: null };
  const key = await transaction.managementKey.findUnique({ where: { id: actor } });
  if (key?.createdBy == null) throw new RelayError("role_not_allowed");
  const scopes = managementScopes.filter((scope) => key.scopes.includes(scope));
  return { userId: key.createdBy, scopes, until: key.expiresAt };
}

/**
 * The members of an account, whose changes wait for each other from here on. Rejects with
 * `not_found`, and with `role_not_allowed` where the actor may not manage members (any more). Null:
 * a change that needs no role.
 */
export async function lockMembers(
  transaction: Transaction,
  accountId: string,
  actor: string | null,
): Promise<LockedMembers> {
  const { userId: actingId, scopes, until } = await actingOf(transaction, actor);
  const rows = await transaction.$queryRaw<{ userId: string; role: string }[]>`
    select user_id as "userId", role from account_member where account_id = ${accountId} order by user_id for update`;
  const roles = new Map(
    rows.map(({ userId, role }) => [userId, memberRoles.find((each) => each === role)]),
  );
  const owner = rows.find(({ role }) => role === "owner");
  if (owner === undefined)
    throw new RelayError("not_found", { message: "There is no such account." });
  const actingRole = actingId === null ? "owner" : roles.get(actingId);
  if (actingRole === undefined || !may(actingRole, "manageMembers"))
    throw new RelayError("role_not_allowed");
  return {
    ownerId: owner.userId,
    actingId,
    actsUntil: until,
    assertGives: (role) => assertKeyGives(scopes, role),
    roleOf(userId) {
      const role = roles.get(userId);
      if (role === undefined) throw missing();
      return role;
    },
  };
}

/**
 * Throws unless the scopes of a key let it give the role: `role_not_allowed` for one that no key
 * gives, else `scope_missing`. Null: a person acts.
 */
function assertKeyGives(scopes: readonly ManagementScope[] | null, role: MemberRole): void {
  if (scopes === null) return;
  const wanted = scopesToGive(role);
  if (wanted === null)
    throw new RelayError("role_not_allowed", {
      param: "role",
      message: `No key gives the role ${role}: it can do more than a key. Give it on the members' page.`,
    });
  const lacking = wanted.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0)
    throw new RelayError("scope_missing", {
      param: "role",
      message: `The role ${role} can do more than this key, which lacks ${lacking.join(", ")}.`,
    });
}

/** The open invitations that a user made in an account, also by management keys. */
async function revokeInvitations(
  transaction: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<void> {
  const keys = await transaction.managementKey.findMany({
    where: { accountId, createdBy: userId },
    select: { id: true },
  });
  const makers = [userId, ...keys.map(({ id }) => id)];
  await transaction.accountInvitation.updateMany({
    where: { accountId, createdBy: { in: makers }, acceptedAt: null, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

/**
 * Revokes what a member made and, in the new role, could not make: keys, management keys, open
 * invitations. `null`: the user is no longer a member. Answers the number of keys.
 */
export async function revokeWhatWasMade(
  transaction: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
  { role, keepsKeys }: { role: MemberRole | null; keepsKeys: boolean },
): Promise<number> {
  const made = { accountId, createdBy: userId, revokedAt: null };
  const revoked = { data: { revokedAt: new Date() } };
  const still = (permission: "makeKeys" | "manageByApi" | "manageMembers") =>
    role !== null && may(role, permission);
  let keys = 0;
  if (!keepsKeys && !still("makeKeys"))
    keys += (await transaction.apiKey.updateMany({ where: made, ...revoked })).count;
  // These manage the account: nobody keeps one without the right to make one.
  if (!still("manageByApi"))
    keys += (await transaction.managementKey.updateMany({ where: made, ...revoked })).count;
  if (!still("manageMembers")) await revokeInvitations(transaction, { accountId, userId });
  return keys;
}

/**
 * Gives a user whose own account this is a new one without points, so that it does not end with this
 * one. Answers its id, or null where the user has another. Rejects with `account_suspended`: nobody
 * gets around a suspension so.
 */
export async function moveOwnAccount(
  transaction: Transaction,
  { accountId, userId }: { accountId: string; userId: string },
): Promise<string | null> {
  const user = await transaction.user.findUniqueOrThrow({
    where: { id: userId },
    include: { account: { select: { status: true } } },
  });
  if (user.accountId !== accountId) return null;
  if (user.account.status !== "active") throw new RelayError("account_suspended");
  const id = newId("account");
  await transaction.account.create({ data: { id }, select: { id: true } });
  // A trigger makes the user its owner.
  await transaction.user.update({ where: { id: userId }, data: { accountId: id } });
  return id;
}

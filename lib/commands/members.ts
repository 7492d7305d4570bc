/** Changes of an account's members. Each takes effect at once: sessions read the membership. */
import { recordAction } from "../accounts/actions";
import { openAccount } from "../accounts/create-account";
import { lockMembers, moveOwnAccount, revokeWhatWasMade } from "../accounts/membership";
import type { MemberRole } from "../contract/states";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { pauseMadeWebhooks } from "./made-webhooks";

type Deps = Pick<CommandDeps, "database" | "ledger">;

interface NamedMember {
  readonly accountId: string;
  readonly userId: string;
}

const ownerStays = () =>
  new RelayError("invalid_value", {
    message: "This is the account's owner. Hand the account over to another member first.",
    fault: { name: "is_owner" },
  });

/**
 * Gives a member another role. Keys that the member made are revoked where the new role could not
 * make them, unless `keepsKeys`. Repeating it changes nothing. Rejects with `not_found`,
 * `role_not_allowed`, `scope_missing` or `invalid_value`.
 */
export function changeMemberRole(
  { database }: Pick<Deps, "database">,
  actor: string,
  input: NamedMember & {
    role: Exclude<MemberRole, "owner">;
    keepsKeys: boolean;
  },
): Promise<void> {
  const { accountId, userId, role, keepsKeys } = input;
  return inDatabaseTransaction(database, async (transaction) => {
    const members = await lockMembers(transaction, accountId, actor);
    const before = members.roleOf(userId);
    if (before === "owner") throw ownerStays();
    if (before === role) return;
    members.assertGives(role);
    await transaction.accountMember.update({
      where: { accountId_userId: { accountId, userId } },
      data: { role },
    });
    const count = await revokeWhatWasMade(transaction, input, { role, keepsKeys });
    await pauseMadeWebhooks(transaction, actor, input, { role, keepsKeys });
    await recordAction(transaction, actor, "member.role", userId, {
      detail: { account: accountId, count },
      before: { role: before },
      after: { role },
    });
  });
}

/** Ends a membership in the transaction of `removeMember` and `leaveAccount`. */
async function endMembership(
  { database, ledger }: Deps,
  actor: string,
  input: NamedMember & { keepsKeys: boolean },
  action: "member.remove" | "member.leave",
): Promise<void> {
  const { accountId, userId } = input;
  const isOwn = action === "member.leave";
  const ownAccountId = await inDatabaseTransaction(database, async (transaction) => {
    const members = await lockMembers(transaction, accountId, isOwn ? null : actor);
    const role = members.roleOf(userId);
    if (role === "owner") throw ownerStays();
    const moved = await moveOwnAccount(transaction, input);
    await transaction.accountMember.delete({ where: { accountId_userId: { accountId, userId } } });
    const gone = { keepsKeys: input.keepsKeys, role: null };
    const count = await revokeWhatWasMade(transaction, input, gone);
    await pauseMadeWebhooks(transaction, actor, input, gone);
    await recordAction(transaction, actor, action, userId, {
      detail: { account: accountId, count },
      before: { role },
    });
    return moved;
  });
  if (ownAccountId !== null) await openAccount(database, ledger, ownAccountId);
}

/**
 * Ends a membership. The keys that the member made are revoked, unless `keepsKeys`. Rejects with
 * `not_found`, `role_not_allowed` or `invalid_value`.
 */
export const removeMember = (
  deps: Deps,
  actor: string,
  input: NamedMember & { keepsKeys: boolean },
): Promise<void> => endMembership(deps, actor, input, "member.remove");

/**
 * Ends one's own membership, with the keys that one made. Rejects with `not_found`, and with
 * `invalid_value` for the owner.
 */
export const leaveAccount = (
  deps: Deps,
  userId: string,
  { accountId }: { accountId: string },
): Promise<void> =>
  endMembership(deps, userId, { accountId, userId, keepsKeys: false }, "member.leave");

/**
 * Makes another member the owner; the owner becomes an administrator. An owner whose own account
 * this was gets a new one. Repeating it changes nothing. Rejects with `not_found`,
 * `role_not_allowed` or `account_suspended`.
 */
export async function handOverAccount(
  { database, ledger }: Deps,
  actor: string,
  { accountId, userId }: NamedMember,
): Promise<void> {
  const ownAccountId = await inDatabaseTransaction(database, async (transaction) => {
    const members = await lockMembers(transaction, accountId, actor);
    const before = members.roleOf(userId);
    const { ownerId, actingId } = members;
    if (actingId !== null && actingId !== ownerId) throw new RelayError("role_not_allowed");
    if (before === "owner") return null;
    // A user who is being erased becomes no owner.
    await transaction.$queryRaw`select from "user" where id = ${userId} for update`;
    const where = (id: string) => ({ accountId_userId: { accountId, userId: id } });
    await transaction.accountMember.update({ where: where(ownerId), data: { role: "admin" } });
    await transaction.accountMember.update({ where: where(userId), data: { role: "owner" } });
    const moved = await moveOwnAccount(transaction, { accountId, userId: ownerId });
    // Sessions of the earlier owner go on to show the account.
    if (moved !== null)
      await transaction.userSession.updateMany({
        where: { userId: ownerId, accountId: null },
        data: { accountId },
      });
    await recordAction(transaction, actor, "member.hand_over", userId, {
      detail: { account: accountId },
      before: { role: before },
      after: { role: "owner" },
    });
    return moved;
  });
  if (ownAccountId !== null) await openAccount(database, ledger, ownAccountId);
}

/** Names an account; null takes the name away. Rejects with `not_found`. */
export function nameAccount(
  { database }: Pick<Deps, "database">,
  actor: string,
  { accountId, name }: { accountId: string; name: string | null },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const account = await transaction.account.findUnique({ where: { id: accountId } });
    if (account === null) throw new RelayError("not_found");
    if (account.name === name) return;
    await transaction.account.update({ where: { id: accountId }, data: { name } });
    await recordAction(transaction, actor, "account.name", accountId, {
      before: { name: account.name },
      after: { name },
    });
  });
}

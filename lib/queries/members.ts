/** The members of an account, its invitations, and the accounts of a user. Read-only. */

import { findInvitation, type StoredInvitation, withoutToken } from "../accounts/invitations";
import { mailServerOf } from "../accounts/mail";
import type { UserSession } from "../accounts/session-store";
import { may } from "../contract/member-roles";
import type { MemberView } from "../contract/members";
import { type MemberRole, memberRoles } from "../contract/states";
import { type MemberBudgetState, memberBudgetStates } from "../ledger/core/member-budgets";
import { formatPoints } from "../money/points";
import { spendPerMember } from "./member-spend";
import { ownerEmail } from "./owner-email";
import type { QueryDeps } from "./query-deps";
import type { Stored } from "./stored";

const SPEND_DAYS = 30;

const roleOf = (text: string): MemberRole => memberRoles.find((each) => each === text) ?? "viewer";

export const invitationView = ({ id, role, email, createdAt, expiresAt }: StoredInvitation) => ({
  id,
  role: roleOf(role),
  email,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

type MemberRow = Stored<
  Pick<MemberView, "id" | "email" | "name" | "createdAt" | "keys">,
  never,
  "createdAt"
> & { readonly role: string };

const membersQuery = `
select m.user_id as id, u.email, u.name, m.role, m.created_at as "createdAt",
       ((select count(*) from api_key k where k.account_id = m.account_id and k.created_by = m.user_id and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > now()))
        + (select count(*) from management_key k where k.account_id = m.account_id and k.created_by = m.user_id and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > now())))::integer as keys
  from account_member m join "user" u on u.id = m.user_id where m.account_id = $1 order by m.created_at, m.user_id`;

const openInvitations = ({ database }: Pick<QueryDeps, "database">, accountId: string) =>
  database.accountInvitation.findMany({
    where: { accountId, acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: "desc" },
    omit: withoutToken,
  });

function budgetsOf(states: readonly MemberBudgetState[]) {
  return {
    budgets: states.map(({ period, max, spent, held, left, zone, renewsAt }) => ({
      period,
      budget: formatPoints(max),
      spent: formatPoints(spent),
      held: formatPoints(held),
      left: formatPoints(left),
      zone: zone ?? "",
      renewsAt: renewsAt.toISOString(),
    })),
    budgetZone: states[0]?.zone ?? null,
  };
}

/** The members of an account, the first one first. */
async function membersOf(pool: QueryDeps["pool"], accountId: string) {
  const [{ rows }, spent, budgets] = await Promise.all([
    pool.query<MemberRow>(membersQuery, [accountId]),
    spendPerMember(pool, accountId, SPEND_DAYS),
    memberBudgetStates(pool, accountId),
  ]);
  return rows.map(({ createdAt, ...row }) => ({
    ...row,
    role: roleOf(row.role),
    createdAt: createdAt.toISOString(),
    spent30Days: formatPoints(spent.get(row.id) ?? 0n),
    ...budgetsOf(budgets.filter(({ userId }) => userId === row.id)),
  }));
}

/** The members of the account that the user's session shows. */
export async function listMembers(
  deps: Pick<QueryDeps, "pool" | "database" | "settings">,
  { accountId, userId, role }: Pick<UserSession, "accountId" | "userId" | "role">,
) {
  const { pool, database, settings } = deps;
  const [account, members, invitations] = await Promise.all([
    database.account.findUniqueOrThrow({ where: { id: accountId } }),
    membersOf(pool, accountId),
    may(role, "manageMembers") ? openInvitations(deps, accountId) : [],
  ]);
  return {
    account: { id: accountId, name: account.name },
    members: members.map((member) => {
      const isYou = member.id === userId;
      const seen = isYou || may(role, "manageMembers") ? member : { ...member, ...budgetsOf([]) };
      return { ...seen, isYou };
    }),
    invitations: invitations.map(invitationView),
    sendsMail: mailServerOf(settings) !== null,
  };
}

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** The accounts of a user, the user's own first. */
export async function listOwnAccounts(
  { pool }: Pick<QueryDeps, "pool">,
  { userId, accountId, ownAccountId }: Pick<UserSession, "userId" | "accountId" | "ownAccountId">,
) {
  const { rows } = await pool.query<AccountRow>(
    `select m.account_id as id, m.role, coalesce(a.name, ${ownerEmail("a.id")}) as name
       from account_member m join account a on a.id = m.account_id
      where m.user_id = $1 order by m.account_id <> $2, m.created_at, m.account_id`,
    [userId, ownAccountId],
  );
  const accounts = rows.map((row) => ({
    ...row,
    role: roleOf(row.role),
    isShown: row.id === accountId,
  }));
  return { accounts };
}

/** What an invitation's page says; null for a token that cannot be used. */
export async function showInvitation(
  { database }: Pick<QueryDeps, "database">,
  token: string,
): Promise<{ account: string; role: MemberRole; email: string | null } | null> {
  const found = await findInvitation(database, token);
  if (found === null) return null;
  const owner = await database.accountMember.findFirst({
    where: { accountId: found.accountId, role: "owner" },
    include: { user: { select: { email: true } }, account: { select: { name: true } } },
  });
  if (owner === null) return null;
  const account = owner.account.name ?? owner.user.email;
  return { account, role: roleOf(found.role), email: found.email };
}

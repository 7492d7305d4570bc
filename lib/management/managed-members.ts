/** `/v1/members` and `/v1/invitations`: what the members' page does, by the same commands. */
import type { StoredInvitation } from "../accounts/invitations";
import type { ManagementKeyPrincipal } from "../accounts/principal";
import { inviteMember, revokeInvitation } from "../commands/invitations";
import { changeMemberBudget } from "../commands/member-budget";
import { changeMemberRole, removeMember } from "../commands/members";
import type { ChangeManagedMember, ManagedMemberView } from "../contract/managed-member";
import type { managedMemberEndpoints } from "../contract/managed-member-endpoints";
import { RelayError } from "../failures/relay-error";
import { jsonAnswer, type UseCase } from "../http/serve";
import { validateQuery } from "../http/validate";
import { invitationView, membersOf, openInvitations } from "../queries/members";
import { answering } from "./answering";
import type { ManagementDeps } from "./find-keys";
import { amountOf } from "./key-view";

type Rows = typeof managedMemberEndpoints;
type UseCases = { readonly [Name in keyof Rows]: UseCase<Rows[Name]> };

/** With the address of the pages, for the links of invitations. */
export type MemberDeps = ManagementDeps & { readonly publicUrl: string };

type Managing = Pick<ManagementKeyPrincipal, "accountId" | "managementKeyId">;

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000);

type Member = Awaited<ReturnType<typeof membersOf>>[number];

const shownMember = ({ budgets, budgetZone, ...member }: Member): ManagedMemberView => ({
  id: member.id,
  object: "member",
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: seconds(member.createdAt),
  keys: member.keys,
  spent_30_days_points: Number(member.spent30Days),
  recurring_budgets: budgets.map(({ period, budget, spent, held, left, renewsAt }) => ({
    period,
    budget_points: Number(budget),
    spent_points: Number(spent),
    held_points: Number(held),
    remaining_points: Number(left),
    zone: budgetZone ?? "",
    renews_at: seconds(renewsAt),
  })),
});

const missing = () => new RelayError("not_found", { message: "There is no such member." });

/** Rejects with `not_found`, also for a member of another account. */
async function memberNamed({ pool }: MemberDeps, accountId: string, id: string): Promise<Member> {
  const found = (await membersOf(pool, accountId)).find((member) => member.id === id);
  if (found !== undefined) return found;
  throw missing();
}

async function change(
  deps: MemberDeps,
  { accountId, managementKeyId }: Managing,
  id: string,
  { role, keep_keys: keepsKeys = false, ...body }: ChangeManagedMember,
): Promise<void> {
  const member = await deps.database.accountMember.findFirst({ where: { accountId, userId: id } });
  if (member === null) throw missing();
  if (role !== undefined && member.role === "owner")
    throw new RelayError("invalid_value", {
      param: "role",
      message: "This is the account's owner. Hand the account over to another member first.",
      fault: { name: "is_owner" },
    });
  const named = { accountId, userId: id };
  await changeMemberBudget(deps, managementKeyId, {
    ...named,
    budgetDay: amountOf("day_budget_points", body.day_budget_points),
    budgetWeek: amountOf("week_budget_points", body.week_budget_points),
    budgetMonth: amountOf("month_budget_points", body.month_budget_points),
    budgetZone: body.budget_zone,
  });
  if (role !== undefined)
    await changeMemberRole(deps, managementKeyId, { ...named, role, keepsKeys });
}

function shownInvitation(invitation: StoredInvitation) {
  const { id, role, email, createdAt, expiresAt } = invitationView(invitation);
  return {
    id,
    object: "invitation" as const,
    role,
    email,
    created_at: seconds(createdAt),
    expires_at: seconds(expiresAt),
  };
}

const linkOf = ({ publicUrl }: MemberDeps, token: string) =>
  `${publicUrl}/invitation?token=${token}`;

export function managedMembers(deps: MemberDeps): UseCases {
  const { pool } = deps;
  return {
    listMembers: answering(async (call) => {
      const members = await membersOf(pool, call.principal.accountId);
      return jsonAnswer(call, { object: "list", data: members.map(shownMember) });
    }),
    getMember: answering(async (call) =>
      jsonAnswer(
        call,
        shownMember(await memberNamed(deps, call.principal.accountId, call.parameter)),
      ),
    ),
    changeMember: answering(async (call) => {
      const { principal, parameter, body } = call;
      await change(deps, principal, parameter, body);
      const changed = await memberNamed(deps, principal.accountId, parameter);
      return jsonAnswer(call, shownMember(changed));
    }),
    removeMember: answering(async (call) => {
      const { principal, parameter: id, incoming, row } = call;
      const { keep_keys: keeps } = validateQuery(row.query, incoming.query);
      const { accountId, managementKeyId } = principal;
      const wanted = { accountId, userId: id, keepsKeys: keeps === "true" };
      await removeMember(deps, managementKeyId, wanted);
      return jsonAnswer(call, { id, object: "member", removed: true });
    }),
    listInvitations: answering(async (call) => {
      const open = await openInvitations(deps, call.principal.accountId);
      return jsonAnswer(call, { object: "list", data: open.map(shownInvitation) });
    }),
    createInvitation: answering(async (call) => {
      const { role, email } = call.body;
      const { accountId, managementKeyId } = call.principal;
      const wanted = { accountId, role, email: email?.toLowerCase() ?? null };
      const made = await inviteMember(deps, managementKeyId, wanted);
      const shown = shownInvitation(made.invitation);
      return jsonAnswer(call, { ...shown, link: linkOf(deps, made.token) });
    }),
    revokeInvitation: answering(async (call) => {
      const { parameter: id, principal } = call;
      const { accountId, managementKeyId } = principal;
      await revokeInvitation(deps, managementKeyId, { id, accountId });
      return jsonAnswer(call, { id, object: "invitation", revoked: true });
    }),
  };
}

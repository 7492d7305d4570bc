/** The commands about an account's members, each with the state it needs. */
import * as invitations from "@/lib/commands/invitations";
import { changeMemberBudget } from "@/lib/commands/member-budget";
import * as members from "@/lib/commands/members";
import { changeTagBudget } from "@/lib/commands/tag-budgets";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { type BrokenOffCommand, commandOn, newUser, prepared, type TestDeps } from "./seed";

/** A person would need to be a member. */
const actor = "cli";

const invitation = { role: "admin", email: null } as const;

/** An account with a second member, who is an administrator. */
async function newMember(site: SiteProcess) {
  const { accountId } = await newUser(site);
  const { userId } = await newUser(site);
  const { token } = await invitations.inviteMember(site.deps, actor, { ...invitation, accountId });
  await invitations.acceptInvitation(site.deps, userId, { token });
  return { accountId, userId };
}

const ofMember = (
  action: BrokenOffCommand["action"],
  run: (deps: TestDeps, member: Awaited<ReturnType<typeof newMember>>) => Promise<unknown>,
): BrokenOffCommand => ({
  action,
  async prepare(site) {
    const member = await newMember(site);
    return (deps) => run(deps, member);
  },
});

export const memberCommands: readonly BrokenOffCommand[] = [
  ofMember("member.role", (deps, member) =>
    members.changeMemberRole(deps, actor, { ...member, role: "viewer", keepsKeys: false }),
  ),
  ofMember("member.budget", (deps, member) =>
    changeMemberBudget(deps, actor, { ...member, budgetDay: 1_000_000n, budgetMonth: 5n }),
  ),
  ofMember("tag.budget", (deps, { accountId }) =>
    changeTagBudget(deps, actor, {
      accountId,
      tag: { name: "team", value: "a" },
      budgetDay: 1_000_000n,
    }),
  ),
  ofMember("member.remove", (deps, member) =>
    members.removeMember(deps, actor, { ...member, keepsKeys: false }),
  ),
  ofMember("member.leave", (deps, { userId, accountId }) =>
    members.leaveAccount(deps, userId, { accountId }),
  ),
  ofMember("member.hand_over", (deps, member) => members.handOverAccount(deps, actor, member)),
  ofMember("account.name", (deps, { accountId }) =>
    members.nameAccount(deps, actor, { accountId, name: "Lighthouse" }),
  ),
  commandOn("invitation.create", newUser, (deps, { accountId }) =>
    invitations.inviteMember(deps, actor, { ...invitation, accountId }),
  ),
  prepared("invitation.revoke", async (site) => {
    const { accountId } = await newUser(site);
    const wanted = { ...invitation, accountId };
    const { invitation: made } = await invitations.inviteMember(site.deps, actor, wanted);
    return (deps) => invitations.revokeInvitation(deps, actor, { id: made.id, accountId });
  }),
  prepared("invitation.accept", async (site) => {
    const { accountId } = await newUser(site);
    const { userId } = await newUser(site);
    const wanted = { ...invitation, accountId };
    const { token } = await invitations.inviteMember(site.deps, actor, wanted);
    return (deps) => invitations.acceptInvitation(deps, userId, { token });
  }),
];

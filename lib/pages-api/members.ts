/** The members of the shown account, invitations, and the accounts of the user. */
import { byInvited, byMailFrom, countAttempt } from "../accounts/throttle";
import * as invitations from "../commands/invitations";
import { changeMemberBudget } from "../commands/member-budget";
import * as members from "../commands/members";
import type { memberEndpoints, memberProgramRows } from "../contract/members";
import { RelayError } from "../failures/relay-error";
import { optionalPoints } from "../money/requested-points";
import { invitationView, listMembers, listOwnAccounts } from "../queries/members";
import { mailsOf } from "./recovery-mails";
import type { ProgramDeps, UseCases } from "./use-case";

const DONE = { done: true } as const;

const invitationLink = ({ settings }: ProgramDeps, token: string) =>
  `${settings.publicUrl}/invitation?token=${token}`;

export const memberProgramUseCases: UseCases<typeof memberProgramRows, ProgramDeps> = {
  listMembers: ({ deps, user }) => listMembers(deps, user),
  async changeMemberRole({ deps, body, id, user }) {
    const change = { ...body, accountId: user.accountId, userId: id };
    await members.changeMemberRole(deps, user.userId, change);
    deps.sessions.forget();
    return DONE;
  },
  async setMemberBudget({ deps, body, id, user }) {
    await changeMemberBudget(deps, user.userId, {
      accountId: user.accountId,
      userId: id,
      budgetDay: optionalPoints("budgetDay", body.budgetDay),
      budgetWeek: optionalPoints("budgetWeek", body.budgetWeek),
      budgetMonth: optionalPoints("budgetMonth", body.budgetMonth),
      budgetZone: body.budgetZone,
    });
    return DONE;
  },
  async removeMember({ deps, body, id, user: { accountId, userId } }) {
    await members.removeMember(deps, userId, { ...body, accountId, userId: id });
    deps.sessions.forget();
    return DONE;
  },
  async handOverAccount({ deps, id, user: { accountId, userId } }) {
    await members.handOverAccount(deps, userId, { accountId, userId: id });
    deps.sessions.forget();
    return DONE;
  },
  async nameAccount({ deps, body, user: { accountId, userId } }) {
    const name = body.name === "" ? null : body.name;
    await members.nameAccount(deps, userId, { accountId, name });
    return DONE;
  },
  async revokeInvitation({ deps, id, user: { accountId, userId } }) {
    await invitations.revokeInvitation(deps, userId, { id, accountId });
    return DONE;
  },
  async inviteMember({ deps, body, locale, address, user }) {
    const email = body.email?.toLowerCase() ?? null;
    // A program sends no mail: there is nobody in whose name.
    const mails = email === null || user.email === "" ? null : mailsOf(deps, locale);
    if (mails !== null && email !== null)
      await countAttempt(deps.pool, [byInvited(email), byMailFrom(address)]);
    const wanted = { ...body, accountId: user.accountId, email };
    const { invitation, token } = await invitations.inviteMember(deps, user.userId, wanted);
    const link = invitationLink(deps, token);
    if (mails !== null && email !== null)
      mails.later((send) => send(mails.text.invited(email, { from: user.email, link })));
    return { invitation: invitationView(invitation), link };
  },
};

export const memberUseCases: UseCases<typeof memberEndpoints> = {
  ...memberProgramUseCases,
  async leaveAccount({ deps, user: { accountId, userId } }) {
    await members.leaveAccount(deps, userId, { accountId });
    deps.sessions.forget();
    return DONE;
  },
  async acceptInvitation({ deps, body, sessionId, user: { userId } }) {
    const { accountId } = await invitations.acceptInvitation(deps, userId, body);
    const session = await sessionId();
    if (session !== null) await deps.sessions.show({ sessionId: session, userId, accountId });
    return DONE;
  },
  listOwnAccounts: ({ deps, user }) => listOwnAccounts(deps, user),
  async switchAccount({ deps, id, sessionId, user: { userId } }) {
    const session = await sessionId();
    const isShown =
      session !== null && (await deps.sessions.show({ sessionId: session, userId, accountId: id }));
    if (!isShown) throw new RelayError("not_found", { message: "You are not a member there." });
    return DONE;
  },
};

/** Commands about the members of an account. */
import { inviteMember, revokeInvitation } from "@/lib/commands/invitations";
import { changeMemberBudget } from "@/lib/commands/member-budget";
import { changeMemberRole, handOverAccount, removeMember } from "@/lib/commands/members";
import { type GivenRole, givenRole } from "@/lib/contract/members";
import { invitationView, membersOf } from "@/lib/queries/members";
import { findUserByEmail } from "@/lib/queries/users";
import { ACCOUNT, accountNamed } from "./account-option";
import { allowedWord } from "./allowed-words";
import { actor, type Command, type Flags } from "./command";
import { budgetOptions, budgetsIn } from "./key-limits";
import type { OpenInstallation } from "./open";
import { table } from "./table";

/** The account and the member; an operator of the installation acts. */
async function memberNamed(installation: OpenInstallation, flags: Flags) {
  const { id: userId } = await findUserByEmail(installation, flags.text("email"));
  return { accountId: await accountNamed(installation, flags), userId };
}

const roleOf = (flags: Flags): GivenRole =>
  allowedWord("role", flags.text("role"), givenRole.options);

const list: Command = {
  usage: ACCOUNT,
  options: { account: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const members = (await membersOf(installation.pool, accountId)).map(
      ({ id, email, role, keys, spent30Days, createdAt, budgets }) => ({
        user: id,
        email,
        role,
        keys,
        spent_30_days: spent30Days,
        budgets: budgets.map(({ period, left, budget }) => `${period} ${left}/${budget}`).join(" "),
        created_at: createdAt,
      }),
    );
    return { json: { account: accountId, members }, text: table(members) };
  },
};

const invite: Command = {
  usage: `--role R [--email E] ${ACCOUNT}; with --email only that verified address can accept; sends no mail`,
  options: { account: "string", role: "string", email: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const email = flags.optional("email")?.trim().toLowerCase() ?? null;
    const wanted = { accountId, role: roleOf(flags), email };
    const { invitation, token } = await inviteMember(installation, actor, wanted);
    const link = `${installation.settings.publicUrl}/invitation?token=${token}`;
    const { id, role, expiresAt } = invitationView(invitation);
    const made = { id, role, email, expires_at: expiresAt };
    return {
      json: { invitation: made, link },
      text: `${table([made])}\n\n${link}\nStore this link now: it is not shown again.`,
    };
  },
};

const role: Command = {
  usage: `--email E --role R [--keep-keys] ${ACCOUNT}`,
  options: { account: "string", email: "string", role: "string", "keep-keys": "boolean" },
  async run(installation, flags) {
    const member = await memberNamed(installation, flags);
    const given = roleOf(flags);
    const keepsKeys = flags.flag("keep-keys");
    await changeMemberRole(installation, actor, { ...member, role: given, keepsKeys });
    return { json: { role: given }, text: `The role is ${given} now.` };
  },
};

const budget: Command = {
  usage: `--email E [--daily POINTS] [--weekly POINTS] [--monthly POINTS] [--zone Z] ${ACCOUNT}; none lifts one`,
  options: { account: "string", email: "string", ...budgetOptions },
  async run(installation, flags) {
    const member = await memberNamed(installation, flags);
    await changeMemberBudget(installation, actor, { ...member, ...budgetsIn(flags) });
    const all = await membersOf(installation.pool, member.accountId);
    const { budgets = [], budgetZone: zone = null } =
      all.find(({ id }) => id === member.userId) ?? {};
    const shown = budgets.map(({ renewsAt, ...each }) => ({ ...each, renews_at: renewsAt }));
    return { json: { zone, budgets: shown }, text: table(shown) };
  },
};

const remove: Command = {
  usage: `--email E [--keep-keys] ${ACCOUNT}; the member's keys are revoked unless --keep-keys`,
  options: { account: "string", email: "string", "keep-keys": "boolean" },
  async run(installation, flags) {
    const member = await memberNamed(installation, flags);
    const keepsKeys = flags.flag("keep-keys");
    await removeMember(installation, actor, { ...member, keepsKeys });
    return { json: { removed: true }, text: "The member is removed." };
  },
};

const uninvite: Command = {
  usage: `--invitation ID ${ACCOUNT}; its link stops working`,
  options: { account: "string", invitation: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    await revokeInvitation(installation, actor, { id: flags.text("invitation"), accountId });
    return { json: { revoked: true }, text: "The invitation is revoked." };
  },
};

const handOver: Command = {
  usage: `--email E ${ACCOUNT}; E becomes the owner, and the owner an administrator`,
  options: { account: "string", email: "string" },
  async run(installation, flags) {
    const member = await memberNamed(installation, flags);
    await handOverAccount(installation, actor, member);
    return { json: { owner: member.userId }, text: "The account has a new owner." };
  },
};

export const memberCommands = {
  list,
  invite,
  uninvite,
  role,
  budget,
  remove,
  "hand-over": handOver,
};

import { inviteLink, listInvites, type StoredInvite } from "@/lib/accounts/invites";
import { createInvite, revokeInvite } from "@/lib/commands/invites";
import { NOTE_LENGTH_MAX } from "@/lib/contract/limits";
import { pointsNumber } from "@/lib/points";
import { actor, type Command } from "./command";
import { table } from "./table";

const DAYS_DEFAULT = 7;

const view = (invite: StoredInvite) => ({
  id: invite.id,
  note: invite.note,
  points: invite.points === null ? null : pointsNumber(invite.points),
  expires_at: invite.expiresAt.toISOString(),
  used_at: invite.usedAt?.toISOString() ?? null,
  account: invite.usedAccountId,
  revoked_at: invite.revokedAt?.toISOString() ?? null,
});

const create: Command = {
  usage:
    "[--note N] [--points N] [--days D]   (a link for one sign-up, valid for 7 days by default)",
  options: { note: "string", points: "string", days: "string" },
  async run(installation, flags) {
    const { invite, code } = await createInvite(installation, actor, {
      note: flags.optional("note")?.trim().slice(0, NOTE_LENGTH_MAX) || null,
      points: flags.pointsNotNegative("points"),
      days: flags.whole("days") ?? DAYS_DEFAULT,
    });
    const link = inviteLink(installation.settings.publicUrl, code);
    return {
      json: { invite: view(invite), link },
      text: `${table([view(invite)])}\n\n${link}\nStore this link now: it is not shown again.`,
    };
  },
};

const list: Command = {
  usage: "",
  options: {},
  async run({ database }) {
    const invites = (await listInvites(database)).invites.map(view);
    return { json: { invites }, text: table(invites) };
  },
};

const revoke: Command = {
  usage: "--id I",
  options: { id: "string" },
  async run(installation, flags) {
    const invite = view(await revokeInvite(installation, actor, { id: flags.text("id") }));
    return { json: { invite }, text: table([invite]) };
  },
};

export const inviteCommands = { create, list, revoke };

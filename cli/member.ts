import { inviteMember } from "@/lib/commands/invitations";
import { givenRole } from "@/lib/contract/members";
import { invitationView } from "@/lib/queries/members";
import { ACCOUNT, accountNamed } from "./account-option";
import { allowedWord } from "./allowed-words";
import { actor, type Command } from "./command";
import { table } from "./table";

const invite: Command = {
  usage: `--role R [--email E] ${ACCOUNT}; with --email only that verified address can accept; sends no mail`,
  options: { account: "string", role: "string", email: "string" },
  async run(installation, flags) {
    const accountId = await accountNamed(installation, flags);
    const email = flags.optional("email")?.trim().toLowerCase() ?? null;
    const role = allowedWord("role", flags.text("role"), givenRole.options);
    const wanted = { accountId, role, email };
    const { invitation, token } = await inviteMember(installation, actor, wanted);
    const link = `${installation.settings.publicUrl}/invitation?token=${token}`;
    const { id, expiresAt } = invitationView(invitation);
    const made = { id, role, email, expires_at: expiresAt };
    return {
      json: { invitation: made, link },
      text: `${table([made])}\n\n${link}\nStore this link now: it is not shown again.`,
    };
  },
};

/** The others are made from rows. */
export const memberCommands = { invite };

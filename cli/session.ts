/** The sessions of users. */
import { listSessions } from "@/lib/accounts/session-store";
import { endSession } from "@/lib/commands/sessions";
import { findUserByEmail } from "@/lib/queries/users";
import { actor, type Command } from "./command";
import { table } from "./table";

const list: Command = {
  usage: "--email E",
  options: { email: "string" },
  async run(installation, flags) {
    const { id: userId, sessionVersion } = await findUserByEmail(installation, flags.text("email"));
    const found = await listSessions(installation.database, { userId, sessionVersion });
    const sessions = found.map(({ id, createdAt, lastSeenAt, address, userAgent }) => ({
      id,
      created_at: createdAt.toISOString(),
      last_seen_at: lastSeenAt.toISOString(),
      address,
      user_agent: userAgent,
    }));
    return { json: { sessions }, text: table(sessions) };
  },
};

const end: Command = {
  usage: "--id S   (`account sign-out` ends all of a user)",
  options: { id: "string" },
  async run(installation, flags) {
    const sessionId = flags.text("id");
    await endSession(installation, actor, { sessionId, userId: null });
    return { json: { ended: sessionId }, text: `${sessionId} has ended.` };
  },
};

export const sessionCommands = { list, end } satisfies Record<string, Command>;

import { listSessions } from "@/lib/accounts/session-store";
import { findUserByEmail } from "@/lib/queries/users";
import type { Command } from "./command";
import { table } from "./table";

const list: Command = {
  usage: "--email E",
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

/** The end of one is made from its row; `account sign-out` ends all of a user. */
export const sessionCommands = { list } satisfies Record<string, Command>;

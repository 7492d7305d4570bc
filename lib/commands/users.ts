import type { CommandDeps } from "./command-deps";

/** Changes what the user who asks is called; this is of no account's standing or security, and is not written down. */
export async function renameUser(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { name }: { name: string | null },
): Promise<void> {
  await database.user.update({ where: { id: actor }, data: { name } });
}

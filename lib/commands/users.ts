import type { CommandDeps } from "./command-deps";

/**
 * Changes the name of the signed-in user. This has no effect on the account or its security, so it
 * is not recorded.
 */
export async function renameUser(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { name }: { name: string | null },
): Promise<void> {
  await database.user.update({ where: { id: actor }, data: { name } });
}

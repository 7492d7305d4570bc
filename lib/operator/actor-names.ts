import type { Database } from "../db/client";

/** Who an actor is to an operator: a user's email address; `cli` and `system` as they are. */
export async function actorNames(database: Database, actors: readonly string[]): Promise<(actor: string) => string> {
  const ids = [...new Set(actors)].filter((actor) => actor.startsWith("user_"));
  const users = ids.length === 0 ? [] : await database.user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  const names = new Map(users.map(({ id, email }) => [id, email]));
  return (actor) => names.get(actor) ?? actor;
}

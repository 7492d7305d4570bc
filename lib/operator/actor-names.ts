import type { Database } from "../db/client";
import { isIdOf } from "../ids";

/** Who an actor is to an operator: a user's email address; `cli` and `system` as they are. */
export async function actorNames(database: Database, actors: readonly string[]): Promise<(actor: string) => string> {
  const ids = [...new Set(actors)].filter((actor) => isIdOf("user", actor));
  const users = ids.length === 0 ? [] : await database.user.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  const names = new Map(users.map(({ id, email }) => [id, email]));
  return (actor) => names.get(actor) ?? actor;
}

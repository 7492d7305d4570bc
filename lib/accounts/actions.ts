import type { Database } from "../db/client";
import type { Prisma } from "../db/generated/client";

export interface Action {
  /** A user id, `cli` or `system`. */
  readonly actor: string;
  /** `noun.verb`. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject: string;
  readonly detail?: Prisma.InputJsonObject;
  /** What was changed, as it was and as it is; kept in `detail`. */
  readonly before?: Prisma.InputJsonObject;
  readonly after?: Prisma.InputJsonObject;
}

/** Writes down, for good, what an operator did or what someone did to the security of an account. */
export async function recordAction(database: Pick<Database, "operatorAction">, change: Action): Promise<void> {
  const { actor, action, subject, detail, before, after } = change;
  const data = { actor, action, subject, detail: { ...detail, ...(before && { before }), ...(after && { after }) } };
  await database.operatorAction.create({ data, select: { id: true } });
}

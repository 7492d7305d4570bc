import type { Database } from "../db/client";
import type { Prisma } from "../db/generated/client";

/** Writes down what an operator did, or what someone did to the security of an account. `actor` is a user id, `cli` or `system`. */
export async function recordAction(
  database: Database,
  action: { actor: string; action: string; subject: string; detail?: Prisma.InputJsonObject },
): Promise<void> {
  await database.operatorAction.create({ data: action });
}

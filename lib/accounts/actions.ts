import type pg from "pg";
import type { Transaction } from "../db/client";
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

/**
 * Writes down, for good, what an operator did or what someone did to the security of an account: in the transaction of the
 * change, so that neither is there without the other. It comes last there, since rows of the log wait for each other.
 */
export async function recordAction(transaction: Transaction | pg.ClientBase, change: Action): Promise<void> {
  const { actor, action, subject, before, after } = change;
  const detail = { ...change.detail, ...(before && { before }), ...(after && { after }) };
  if ("escapeLiteral" in transaction) {
    const text = "insert into operator_action (actor, action, subject, detail) values ($1, $2, $3, $4)";
    await transaction.query(text, [actor, action, subject, JSON.stringify(detail)]);
  } else await transaction.operatorAction.create({ data: { actor, action, subject, detail }, select: { id: true } });
}

import type pg from "pg";
import type { Transaction } from "../db/client";
import type { Prisma } from "../db/generated/client";

export interface Action {
  /** A user id, `cli` or `system`. */
  readonly actor: string;
  /** `noun.verb`. */
  readonly action: string;
  /** The id of the object of the action. */
  readonly subject: string;
  readonly detail?: Prisma.InputJsonObject;
  /** The changed fields before and after; stored in `detail`. */
  readonly before?: Prisma.InputJsonObject;
  readonly after?: Prisma.InputJsonObject;
}

/**
 * Records an operator's action, or a change to an account's security, in the transaction of that
 * change: neither is committed without the other. Call it last in the transaction, because writers
 * of the log wait for each other.
 */
export async function recordAction(
  transaction: Transaction | pg.ClientBase,
  change: Action,
): Promise<void> {
  const { actor, action, subject, before, after } = change;
  const detail = { ...change.detail, ...(before && { before }), ...(after && { after }) };
  if ("escapeLiteral" in transaction) {
    const text =
      "insert into operator_action (actor, action, subject, detail) values ($1, $2, $3, $4)";
    await transaction.query(text, [actor, action, subject, JSON.stringify(detail)]);
  } else
    await transaction.operatorAction.create({
      data: { actor, action, subject, detail },
      select: { id: true },
    });
}

import type pg from "pg";
import type { AuditAction, AuditField } from "../contract/audit-actions";
import type { Transaction } from "../db/client";
import type { Prisma } from "../db/generated/client";
import { assertStillActing } from "./acting-session";
import { markEffect } from "./once-effect";

/** Fields of a record. The page has words for each. */
export type AuditFields = { readonly [Name in AuditField]?: Prisma.InputJsonValue | null };

/** Fields, or a value without a name, as of a setting. */
type Side = AuditFields | Prisma.JsonValue;

/** What was done. */
export interface Recorded {
  readonly detail?: AuditFields & { readonly before?: Side; readonly after?: Side };
  /** The changed fields before and after; stored in `detail`. */
  readonly before?: AuditFields;
  readonly after?: AuditFields;
}

/**
 * Records an operator's action, or a change to an account's security, in the transaction of that
 * change: neither is committed without the other. Call it last in the transaction, because writers
 * of the log wait for each other. `actor`: the id of a user or of a key, `cli` or `system`; `subject`:
 * the id of what was acted on.
 */
export async function recordAction(
  transaction: Transaction | pg.ClientBase,
  actor: string,
  action: AuditAction,
  subject: string,
  { detail: more, before, after }: Recorded = {},
): Promise<void> {
  const detail = { ...more, ...(before && { before }), ...(after && { after }) };
  await assertStillActing(transaction);
  await markEffect(transaction);
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

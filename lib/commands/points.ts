/** An operator's changes to the points of an account. Each needs a reason, which is recorded. */
import type pg from "pg";
import { type Recorded, recordAction } from "../accounts/actions";
import type { AuditAction } from "../contract/audit-actions";
import { RelayError } from "../failures/relay-error";
import { balanceWithin } from "../ledger/core/wallets";
import { formatPoints, type Micropoints } from "../money/points";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "ledger">;

interface ByHand {
  /** Chosen by the caller: a repetition with the same ref changes nothing. */
  readonly ref: string;
  readonly reason: string;
}

export interface PointsChange {
  readonly entryId: string;
  readonly accountId: string;
  readonly amount: Micropoints;
  readonly isNew: boolean;
}

/**
 * Records a ledger entry once, also one that was committed without its record. The wallet is
 * locked, so nobody else can record it at the same time.
 */
async function recordEntry(
  transaction: pg.ClientBase,
  actor: string,
  action: AuditAction,
  subject: string,
  recorded: Recorded & { readonly detail: { readonly entry: string } },
): Promise<void> {
  const { rowCount } = await transaction.query(
    "select from operator_action where subject = $1 and action = $2 and detail ->> 'entry' = $3 limit 1",
    [subject, action, recorded.detail.entry],
  );
  if (rowCount === 0) await recordAction(transaction, actor, action, subject, recorded);
}

const reused = (what = "amount") =>
  new RelayError("already_exists", {
    param: "ref",
    message: `This reference was already used for a different ${what}. Nothing was changed.`,
    fault: { name: "reference_reused" },
  });

/**
 * The ledger knows a reference by its kind: points that were added, and points that were taken. Throws
 * where the reference belongs to the other kind, or had another reason. Changes of two accounts under one
 * reference take turns from here to their commits, so the second sees the first.
 */
async function assertSame(
  transaction: pg.ClientBase,
  { kind, ref, reason }: { readonly kind: string; readonly ref: string; readonly reason: string },
): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended($1, 7275620))", [ref]);
  const { rows } = await transaction.query<{ kind: string; reason: string }>(
    "select kind, reason from ledger_entry where kind in ('adjust_up', 'adjust_down') and ref = $1",
    [ref],
  );
  if (rows.some((entry) => entry.kind !== kind)) throw reused();
  if (rows.some((entry) => entry.reason !== reason)) throw reused("reason");
}

interface Adjustment extends ByHand {
  readonly accountId: string;
  /** Negative to take points away. */
  readonly amount: Micropoints;
}

/**
 * Adds points to an account or takes them away. Rejects with `insufficient_points`,
 * `already_exists`, `not_found`.
 */
export async function adjustPoints(
  { ledger }: Deps,
  actor: string,
  input: Adjustment,
): Promise<PointsChange> {
  const { accountId, amount, reason, ref } = input;
  if (amount === 0n)
    throw new RelayError("invalid_value", {
      param: "points",
      message: "The points must not be 0.",
      fault: { name: "not_points" },
    });
  const size = amount < 0n ? -amount : amount;
  const kind = amount > 0n ? "adjust_up" : "adjust_down";
  const request = { accountId, kind, ref, amount: size, reason, actor } as const;
  const result = await ledger.credit(request, async (transaction, entry) => {
    if (entry.amount !== size) throw reused();
    await assertSame(transaction, request);
    const { available } = await balanceWithin(transaction, accountId);
    await recordEntry(transaction, actor, "account.credit", accountId, {
      detail: { entry: entry.entryId, points: formatPoints(amount), reason },
      before: { available: formatPoints(available - amount) },
      after: { available: formatPoints(available) },
    });
  });
  if (result.result === "insufficient") {
    const points = formatPoints(result.available);
    throw new RelayError("insufficient_points", {
      param: "points",
      message: `Only ${formatPoints(result.available)} points are available to remove.`,
      fault: { name: "too_few_points_to_take", points },
    });
  }
  return { entryId: result.entryId, accountId, amount, isNew: result.result === "done" };
}

interface Refund extends ByHand {
  readonly operationId: string;
  /** Null for everything that is left of the charge. */
  readonly amount: Micropoints | null;
}

/**
 * Refunds the charge of a request: what is left of it, or a part. Rejects with `not_found` where
 * nothing was charged, `invalid_value` for more than is left, `already_exists`.
 */
export async function refundCharge(
  { ledger }: Deps,
  actor: string,
  input: Refund,
): Promise<PointsChange> {
  const { operationId, amount, reason, ref } = input;
  const result = await ledger.refund(
    { operationId, ref, amount, reason, actor },
    async (transaction, entry) => {
      if (amount !== null && entry.amount !== amount) throw reused();
      const { rows } = await transaction.query<{ reason: string }>(
        "select reason from ledger_entry where id = $1",
        [entry.entryId],
      );
      if (rows[0]?.reason !== reason) throw reused("reason");
      const detail = {
        entry: entry.entryId,
        operation: operationId,
        points: formatPoints(entry.amount),
        reason,
      };
      await recordEntry(transaction, actor, "charge.refund", entry.accountId, { detail });
    },
  );
  if (result.result === "exceeds") {
    const left = formatPoints(result.left);
    const message =
      result.left === 0n
        ? "The whole charge was already refunded."
        : `Only ${left} points of the charge can still be refunded.`;
    const fault = { name: "refund_too_large", points: left } as const;
    throw new RelayError("invalid_value", { param: "points", message, fault });
  }
  return {
    entryId: result.entryId,
    accountId: result.accountId,
    amount: result.amount,
    isNew: result.result === "done",
  };
}

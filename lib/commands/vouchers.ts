import { type AuditFields, recordAction } from "../accounts/actions";
import { assertScopeOf } from "../accounts/actor-rules";
import { makeOnce } from "../accounts/once-effect";
import { NAME_LENGTH_MAX, PLAN_PERIODS_MAX, VOUCHERS_PER_BATCH_MAX } from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { newId } from "../crypto/ids";
import type { Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { hashVoucherCode, makeVoucherCode, noSuchBatch } from "../topup/voucher-code";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

interface VoucherTerms {
  readonly name: string;
  /** Of each voucher; null for a voucher of a plan, which gives the plan's. */
  readonly points: Micropoints | null;
  readonly count: number;
  readonly expiresAt: Date | null;
  /** On which plan a voucher puts an account, and for how many periods. */
  readonly plan?: { readonly id: string; readonly periods: number } | null;
}

function assertTerms({ name, points, count, expiresAt, plan }: VoucherTerms): void {
  if (name.trim() === "" || name.length > NAME_LENGTH_MAX || !isShownText(name))
    throw invalidValue(
      "name",
      `A batch's name must be one line of 1 to ${NAME_LENGTH_MAX} characters.`,
    );
  if ((points === null) !== (plan != null))
    throw invalidValue("points", "A voucher is worth points, or periods of a plan, and not both.");
  if (points !== null && (points < 1n || points > MICROPOINTS_MAX))
    throw invalidValue("points", "A voucher must be worth more than 0 points.");
  if (
    plan != null &&
    !(Number.isInteger(plan.periods) && plan.periods >= 1 && plan.periods <= PLAN_PERIODS_MAX)
  )
    throw invalidValue(
      "plan_periods",
      `The periods are ${plan.periods}; they must be a whole number from 1 to ${PLAN_PERIODS_MAX}.`,
    );
  if (!Number.isInteger(count) || count < 1 || count > VOUCHERS_PER_BATCH_MAX)
    throw invalidValue("count", `A batch must have 1 to ${VOUCHERS_PER_BATCH_MAX} vouchers.`);
  if (expiresAt !== null && !(expiresAt.getTime() > Date.now())) {
    throw invalidValue("expiresAt", "The vouchers' expiry must be in the future.");
  }
}

/** Of a plan to which vouchers may lead. A group is a price. */
async function planPoints(
  transaction: Transaction,
  actor: string,
  id: string,
): Promise<Micropoints> {
  const plan = await transaction.plan.findUnique({ where: { id } });
  if (plan === null) throw new RelayError("not_found", { message: `There is no plan ${id}.` });
  if (plan.groupId !== null)
    await assertScopeOf(transaction, actor, "prices:write", "A plan with a group");
  if (plan.retiredAt === null) return plan.points;
  throw invalidValue("plan", `The plan ${JSON.stringify(plan.name)} is retired.`);
}

/**
 * Creates a batch of `count` codes worth `points` each. Only their hashes are stored: the codes are
 * returned only here.
 */
export function createVouchers(
  { database }: Deps,
  actor: string,
  terms: VoucherTerms,
): Promise<{ batchId: string; codes: string[] }> {
  const { name, count, expiresAt, plan = null } = terms;
  return makeOnce(database, async (transaction) => {
    assertTerms(terms);
    const points = terms.points ?? (await planPoints(transaction, actor, plan?.id ?? ""));
    const batchId = newId("voucherBatch");
    const codes = Array.from({ length: count }, makeVoucherCode);
    const vouchers = codes.map((code) => ({
      id: newId("voucher"),
      batchId,
      codeHash: hashVoucherCode(code),
      points,
      expiresAt,
    }));
    await transaction.voucherBatch.create({
      data: {
        id: batchId,
        name,
        points,
        count,
        expiresAt,
        createdBy: actor,
        planId: plan?.id ?? null,
        planPeriods: plan?.periods ?? null,
      },
    });
    await transaction.voucher.createMany({ data: vouchers });
    const after: AuditFields = {
      name,
      count,
      points: formatPoints(points),
      expiresAt: expiresAt?.toISOString() ?? null,
      ...(plan === null ? {} : { plan: plan.id, period: plan.periods }),
    };
    await recordAction(transaction, actor, "voucher.create", batchId, { after });
    return { batchId, codes };
  });
}

/**
 * Cancels the vouchers of a batch that were not redeemed. A concurrent redemption either succeeds
 * or is refused. Returns how many were cancelled.
 */
export function cancelVouchers(
  { database }: Deps,
  actor: string,
  { batchId }: { batchId: string },
): Promise<number> {
  return inDatabaseTransaction(database, async (transaction) => {
    const cancelledAt = new Date();
    const batch = await transaction.voucherBatch.findUnique({
      where: { id: batchId },
      select: { id: true },
    });
    if (batch === null) throw noSuchBatch(batchId);
    await transaction.voucherBatch.updateMany({
      where: { id: batchId, cancelledAt: null },
      data: { cancelledAt },
    });
    const open = { batchId, redeemedAt: null, cancelledAt: null };
    const { count: cancelled } = await transaction.voucher.updateMany({
      where: open,
      data: { cancelledAt },
    });
    await recordAction(transaction, actor, "voucher.cancel", batchId, { after: { cancelled } });
    return cancelled;
  });
}

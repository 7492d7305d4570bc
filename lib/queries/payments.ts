import type { z } from "zod";
import type { operatorPaymentsQuery } from "../contract/operator-topup";
import type { paymentsQuery } from "../contract/payments";
import { RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { emailsOf } from "./find-accounts";
import { findPayment, listPayments, type PaymentLine } from "./payment-history";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "pool">;

const viewOf = <Line extends Pick<PaymentLine, "points" | "takenBack" | "createdAt" | "paidAt">>({
  points,
  takenBack,
  createdAt,
  paidAt,
  ...line
}: Line) => ({
  ...line,
  points: formatPoints(points),
  takenBack: formatPoints(takenBack),
  createdAt: createdAt.toISOString(),
  paidAt: paidAt?.toISOString() ?? null,
});

/** The account's payments, newest first. */
export async function listOwnPayments(
  { pool }: Deps,
  { accountId, cursor }: z.output<typeof paymentsQuery> & { accountId: string },
) {
  const { payments, nextCursor } = await listPayments(pool, { accountId, cursor });
  return { payments: payments.map(viewOf), nextCursor };
}

/** Rejects with `not_found`, also for another account's payment. */
export async function showOwnPayment(
  { pool }: Deps,
  { accountId, id }: { accountId: string; id: string },
) {
  const payment = await findPayment(pool, { accountId, paymentId: id });
  if (payment === null) throw new RelayError("not_found");
  return { payment: viewOf(payment) };
}

/** The payments of all accounts, or those that an operator should look at; newest first. */
export async function listAllPayments(
  { pool }: Deps,
  { accountId, attention, cursor }: z.output<typeof operatorPaymentsQuery>,
) {
  const { payments, nextCursor } = await listPayments(pool, {
    accountId: accountId ?? null,
    needsAttention: attention === "open",
    cursor,
  });
  const emails = await emailsOf(
    pool,
    payments.map(({ accountId }) => accountId),
  );
  return {
    payments: payments.map((payment) => ({
      ...viewOf(payment),
      email: emails.get(payment.accountId) ?? null,
      lost: formatPoints(payment.lost),
    })),
    nextCursor,
  };
}

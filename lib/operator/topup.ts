/** What operators do about vouchers, packages and payments. */
import type { z } from "zod";
import { changePackage, createPackage } from "../commands/packages";
import { attendPayment } from "../commands/payments";
import { cancelVouchers, createVouchers } from "../commands/vouchers";
import type {
  batchesQuery,
  changePackageRequest,
  createBatchRequest,
  createPackageRequest,
  operatorPaymentsQuery,
  vouchersQuery,
} from "../contract/operator-topup";
import { csvLine } from "../csv";
import type { TopupPackage } from "../db/generated/client";
import { SiteFile } from "../http/site-file";
import { formatPoints } from "../points";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";
import { listPackages } from "../topup/packages";
import { listPayments } from "../topup/payment-history";
import { stripeOf } from "../topup/stripe";
import { listBatches, listVouchers } from "../topup/voucher-batches";

const momentText = (at: Date | null) => at?.toISOString() ?? null;

export async function listVoucherBatches({ parts, query }: Call<unknown, z.output<typeof batchesQuery>>) {
  const { batches, nextCursor } = await listBatches(parts.pool, query);
  return {
    batches: batches.map((batch) => ({
      ...batch,
      points: formatPoints(batch.points),
      expiresAt: momentText(batch.expiresAt),
      createdAt: batch.createdAt.toISOString(),
      cancelledAt: momentText(batch.cancelledAt),
    })),
    nextCursor,
  };
}

export async function createBatch({ parts, body, user }: Call<z.output<typeof createBatchRequest>>) {
  const { name, points, count, expiresAt } = body;
  return createVouchers(parts, user().userId, {
    name,
    count,
    points: requestedPoints("points", points),
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  });
}

export async function cancelBatch({ parts, id, user }: Call) {
  return { cancelled: await cancelVouchers(parts, user().userId, { batchId: id }) };
}

export async function listBatchVouchers({ parts, id, query }: Call<unknown, z.output<typeof vouchersQuery>>) {
  const { vouchers, nextOffset } = await listVouchers(parts.pool, { batchId: id, offset: Number(query.cursor ?? 0) });
  return {
    vouchers: vouchers.map((voucher) => ({ ...voucher, redeemedAt: momentText(voucher.redeemedAt) })),
    nextCursor: nextOffset === null ? null : String(nextOffset),
  };
}

/** Who redeemed a batch's vouchers and when; the codes are not known any more. */
export async function downloadBatch({ parts, id }: Call) {
  const first = await listVouchers(parts.pool, { batchId: id });
  async function* lines() {
    yield csvLine(["voucher", "state", "redeemed_at", "account", "email"]);
    for (let page = first; ; page = await listVouchers(parts.pool, { batchId: id, offset: page.nextOffset ?? 0 })) {
      for (const voucher of page.vouchers)
        yield csvLine([voucher.id, voucher.state, momentText(voucher.redeemedAt), voucher.accountId, voucher.email]);
      if (page.nextOffset === null) return;
    }
  }
  return new SiteFile(`vouchers-${id}.csv`, lines());
}

const packageView = ({ createdAt: _, points, amount, ...rest }: TopupPackage) => ({
  ...rest,
  points: formatPoints(points),
  amount: Number(amount),
});

export async function listAllPackages({ parts }: Call) {
  const packages = await listPackages(parts.database);
  return { isOffered: stripeOf(parts.settings) !== null, packages: packages.map(packageView) };
}

export async function createOnePackage({ parts, body, user }: Call<z.output<typeof createPackageRequest>>) {
  const made = await createPackage(parts, user().userId, { ...body, points: requestedPoints("points", body.points) });
  return { package: packageView(made) };
}

export async function changeOnePackage({ parts, body, id, user }: Call<z.output<typeof changePackageRequest>>) {
  const points = body.points === undefined ? undefined : requestedPoints("points", body.points);
  const changed = await changePackage(parts, user().userId, { ...body, points, id });
  return { package: packageView(changed) };
}

export async function listAllPayments({ parts, query }: Call<unknown, z.output<typeof operatorPaymentsQuery>>) {
  const { payments, nextCursor } = await listPayments(parts.pool, {
    accountId: null,
    needsAttention: query.attention === "open",
    cursor: query.cursor,
  });
  return {
    payments: payments.map(({ points, takenBack, lost, createdAt, paidAt, ...line }) => ({
      ...line,
      points: formatPoints(points),
      takenBack: formatPoints(takenBack),
      lost: formatPoints(lost),
      createdAt: createdAt.toISOString(),
      paidAt: momentText(paidAt),
    })),
    nextCursor,
  };
}

export async function attendToPayment({ parts, id, user }: Call) {
  await attendPayment(parts, user().userId, { id });
  return { attended: true as const };
}

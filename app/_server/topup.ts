import type { PackageView } from "@/lib/contract/payments";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { formatPoints } from "@/lib/points";
import { findReceipt } from "@/lib/queries/invoices";
import { listPackages } from "@/lib/queries/packages";
import { listPayments } from "@/lib/queries/payment-history";
import { stripeOf } from "@/lib/topup/stripe";

/**
 * The packages on sale, and whether the account has ever paid. Both are empty where payments were
 * never enabled.
 */
export async function topupOffer(
  accountId: string,
): Promise<{ packages: PackageView[]; hasPayments: boolean; hasAutoTopup: boolean }> {
  const { settings, database, pool, live } = pagesDeps();
  const packages =
    stripeOf(settings) === null ? [] : await listPackages(database, { isEnabled: true });
  const { payments } = await listPayments(pool, { accountId, limit: 1 });
  return {
    packages: packages.map(({ id, name, note, points, amount, currency }) => ({
      id,
      name,
      note,
      points: formatPoints(points),
      amount: Number(amount),
      currency,
    })),
    hasPayments: payments.length > 0,
    hasAutoTopup: packages.length > 0 && live.value("automatic_topup") === "yes",
  };
}

/** A paid payment of the account, with the names on its receipt; null for all others. */
export const receiptOf = (accountId: string, id: string) =>
  findReceipt(pagesDeps(), { accountId, id });

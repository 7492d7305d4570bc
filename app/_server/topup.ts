import type { PackageView } from "@/lib/contract/payments";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { findReceipt } from "@/lib/queries/invoices";
import { listOfferedPackages } from "@/lib/queries/packages";
import { listPayments } from "@/lib/queries/payment-history";
import { hasPlanToShow } from "@/lib/queries/plans";

/** The packages on sale; none without a payment provider. */
export async function packagesOnSale(): Promise<PackageView[]> {
  const { packages } = await listOfferedPackages(pagesDeps());
  return packages.map(({ id, name, note, points, amount, currency }) => ({
    id,
    name,
    note,
    points,
    amount,
    currency,
  }));
}

/**
 * The packages on sale, whether the account has ever paid, and whether there is a plan or points that
 * end to show.
 */
export async function topupOffer(accountId: string): Promise<{
  packages: PackageView[];
  hasPayments: boolean;
  hasAutoTopup: boolean;
  hasPlans: boolean;
}> {
  const { pool, live } = pagesDeps();
  const packages = await packagesOnSale();
  const [{ payments }, hasPlans] = await Promise.all([
    listPayments(pool, { accountId, limit: 1 }),
    hasPlanToShow({ pool }, accountId),
  ]);
  return {
    packages,
    hasPayments: payments.length > 0,
    hasAutoTopup: packages.length > 0 && live.value("automatic_topup") === "yes",
    hasPlans,
  };
}

/** A paid payment of the account, with the names on its receipt; null for all others. */
export const receiptOf = (accountId: string, id: string) =>
  findReceipt(pagesDeps(), { accountId, id });

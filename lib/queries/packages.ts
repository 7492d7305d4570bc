/** The packages in which points are sold. */
import { PACKAGES_MAX } from "../contract/limits";
import type { Database } from "../db/client";
import type { TopupPackage } from "../db/generated/client";
import { formatPoints } from "../money/points";
import { stripeOf } from "../topup/stripe";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "database" | "settings">;

/** The packages in their order. */
function listPackages(
  database: Database,
  where: { isEnabled?: boolean } = {},
): Promise<TopupPackage[]> {
  return database.topupPackage.findMany({
    where,
    orderBy: [{ position: "asc" }, { amount: "asc" }, { id: "asc" }],
    take: PACKAGES_MAX,
  });
}

/** The packages that can be bought now; none when no payments are taken. */
export async function listOfferedPackages({ database, settings }: Deps) {
  const packages =
    stripeOf(settings) === null ? [] : await listPackages(database, { isEnabled: true });
  return {
    packages: packages.map((each) => ({
      ...each,
      points: formatPoints(each.points),
      amount: Number(each.amount),
    })),
  };
}

export const packageView = ({ createdAt: _, points, amount, ...rest }: TopupPackage) => ({
  ...rest,
  points: formatPoints(points),
  amount: Number(amount),
});

/** All stored packages, and whether payments are taken. */
export async function listAllPackages({ database, settings }: Deps) {
  const packages = await listPackages(database);
  return { isOffered: stripeOf(settings) !== null, packages: packages.map(packageView) };
}

import { PACKAGES_MAX } from "../contract/limits";
import type { Database } from "../db/client";
import type { TopupPackage } from "../db/generated/client";

/** In their order. */
export function listPackages(database: Database, where: { isEnabled?: boolean } = {}): Promise<TopupPackage[]> {
  return database.topupPackage.findMany({ where, orderBy: [{ position: "asc" }, { amount: "asc" }, { id: "asc" }], take: PACKAGES_MAX });
}

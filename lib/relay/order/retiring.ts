/** The warning about a model that customers can order only until a date. */
import type { Model } from "../../catalog/models";

/** Adds `x-relay-model-retires`, such as `2027-01-31T00:00:00.000Z; replaced-by=other`. */
export function warnOfRetiring(
  headers: Record<string, string>,
  { retiresAt, replacedBy }: Model,
): void {
  if (retiresAt === null) return;
  const successor = replacedBy === null ? "" : `; replaced-by=${replacedBy}`;
  headers["x-relay-model-retires"] = new Date(retiresAt).toISOString() + successor;
}

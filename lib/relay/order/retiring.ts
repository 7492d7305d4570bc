/** The warning about a model that customers can order only until a date. */
import type { Principal } from "../../accounts/principal";
import { type Model, successorOf } from "../../catalog/models";

/** Adds `x-relay-model-retires`, such as `2027-01-31T00:00:00.000Z; replaced-by=other`. */
export function warnOfRetiring(
  headers: Record<string, string>,
  model: Model,
  { sees }: Pick<Principal, "sees">,
): void {
  if (model.retiresAt === null) return;
  const successor = successorOf(model, ({ id }) => sees(id));
  const instead = successor === null ? "" : `; replaced-by=${successor.id}`;
  headers["x-relay-model-retires"] = new Date(model.retiresAt).toISOString() + instead;
}

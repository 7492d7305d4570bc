import { findModel, firstModelOf, type Model, type ModelOf } from "../catalog/models";

/**
 * The model with this identifier, alias or synonym; the first of the family when the name is not one
 * of an offered model of it.
 */
export function modelNamed<Family extends Model["family"]>(
  family: Family,
  name: string | null,
  offered: readonly ModelOf<Family>[],
): ModelOf<Family> {
  const model = findModel(name ?? "");
  return offered.find(({ id }) => id === model?.id) ?? offered[0] ?? firstModelOf(family);
}

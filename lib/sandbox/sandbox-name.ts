import type { Model, ModelOf } from "../catalog/model";
import { allModels, isOf } from "../catalog/models";

/** The sandbox's name for a model of the catalogue. */
export const sandboxName = ({ alias }: Model): string => `sandbox-${alias}`;

/** The model of the catalogue that the sandbox serves under the name. */
export function offeredAs<Family extends Model["family"]>(
  family: Family,
  name: unknown,
): ModelOf<Family> | undefined {
  for (const model of allModels())
    if (isOf(family, model) && sandboxName(model) === name) return model;
  return undefined;
}

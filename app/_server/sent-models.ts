import { builtInModels } from "@/lib/catalog/built-in";
import { allModels, type Model } from "@/lib/catalog/models";

/** As a page needs them. The seed's first prices are not among the facts of a row. */
const textOf = (models: readonly Model[]) =>
  JSON.stringify(
    models.map((model) => Object.entries({ ...model, defaultPrice: null }).toSorted()),
  );

/**
 * The models that a page sends to the browser: those that customers know, or all to an operator.
 * Null while they are the built-in ones, which the browser has: most pages then send nothing.
 */
export function sentModels(withDrafts = false): readonly Model[] | null {
  const models = allModels()
    .filter(({ state }) => withDrafts || state !== "draft")
    .map((model) => ({ ...model, versionId: null }));
  return textOf(models) === textOf(builtInModels) ? null : models;
}

/**
 * The models that this process knows: a snapshot, which is replaced whole when a row changes. What
 * a request began with it keeps, since a snapshot itself never changes.
 */
import { builtInModels } from "./built-in";
import { type Model, type ModelOf, namesOf } from "./model";

export type { ImageModel, Model, ModelOf, TextModel, VideoModel } from "./model";

/** The models in the order in which they were made, and each under every name it has. */
export interface Catalogue {
  readonly models: readonly Model[];
  readonly byName: ReadonlyMap<string, Model>;
}

export function catalogueOf(models: readonly Model[]): Catalogue {
  const byName = new Map<string, Model>();
  for (const model of models) for (const name of namesOf(model)) byName.set(name, model);
  return { models, byName };
}

declare global {
  // Next bundles several copies of this module; all read the same catalogue.
  var relayCatalogue: Catalogue | undefined;
}

const seed = catalogueOf(builtInModels);

/** The current snapshot; the seed in a process without a database. */
export const catalogue = (): Catalogue => globalThis.relayCatalogue ?? seed;

export function replaceCatalogue(next: Catalogue): void {
  globalThis.relayCatalogue = next;
}

/** True for what customers may order now. */
export const isOffered = ({ state, retiresAt }: Model, now = Date.now()): boolean =>
  state === "offered" || (state === "retiring" && retiresAt !== null && now < retiresAt);

/** True for what customers could order once. */
export const hasRetired = (model: Model): boolean => model.state !== "draft" && !isOffered(model);

/**
 * The offered model to use instead of one that ends: what replaces it, or where that has ended too,
 * what replaces that. `fits` says which ones may be named. Null where there is none.
 */
export function successorOf(
  { replacedBy }: Model,
  fits: (model: Model) => boolean = () => true,
): Model | null {
  const passed = new Set<string>();
  for (let id = replacedBy; id !== null && !passed.has(id); ) {
    passed.add(id);
    const next = findModel(id);
    if (next === undefined) return null;
    if (isOffered(next) && fits(next)) return next;
    id = next.replacedBy;
  }
  return null;
}

/** Every model, in whatever state. */
export const allModels = (): readonly Model[] => catalogue().models;

/** The models that customers have seen: all but drafts. */
export const knownModels = (): Model[] => allModels().filter(({ state }) => state !== "draft");

/** The models that customers may order now. */
export const offeredModels = (): Model[] => allModels().filter((model) => isOffered(model));

/** Narrows a model to its family. */
export const isOf = <Family extends Model["family"]>(
  family: Family,
  model: Model,
): model is ModelOf<Family> => model.family === family;

/** Those of one family. */
export const offeredModelsOf = <Family extends Model["family"]>(
  family: Family,
): ModelOf<Family>[] =>
  offeredModels().filter((model): model is ModelOf<Family> => isOf(family, model));

/**
 * The first model of the family that is offered and fits; where there is none, one that is not, so
 * that an example always has a model. Throws when the catalogue has none at all.
 */
export function firstModelOf<Family extends Model["family"]>(
  family: Family,
  fits: (model: ModelOf<Family>) => boolean = () => true,
): ModelOf<Family> {
  const offered = offeredModelsOf(family);
  const [first] = [...offered.filter(fits), ...offered];
  if (first) return first;
  for (const model of seed.models) if (isOf(family, model)) return model;
  throw new Error(`the catalogue has no ${family} model`);
}

/** The model for an identifier, alias or synonym, in whatever state; undefined when there is none. */
export function findModel(name: string): Model | undefined {
  return catalogue().byName.get(name);
}

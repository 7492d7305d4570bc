/** Virtual models: names under which rules choose one of the real models for each request. */
import { type Model, namesOf, type TextModel } from "./model";
import { findModel } from "./models";

/** What a rule can order by, and what it can ask of a model. */
export const choiceOrders = ["cheapest", "dearest", "listed"] as const;
export const modelNeeds = ["tools", "images", "reasoning"] as const;

export interface VirtualModel {
  readonly name: string;
  /** The family of all models that it may choose. */
  readonly family: Model["family"];
  /** Names of models; with `*` at its end, the beginning of one. Empty for all. */
  readonly models: readonly string[];
  readonly contextMin: number;
  readonly outputMin: number;
  /** List prices in points per million tokens; null for any. */
  readonly inputPriceMax: number | null;
  readonly outputPriceMax: number | null;
  /** The list price of a usual request, in points; null for any. */
  readonly priceMax: number | null;
  readonly needs: readonly (typeof modelNeeds)[number][];
  readonly order: (typeof choiceOrders)[number];
  /** How many are tried for a request. */
  readonly tried: number;
}

declare global {
  // Next bundles several copies of this module; all read the same ones.
  var relayVirtualModels: ReadonlyMap<string, VirtualModel> | undefined;
}

/** Called when the settings are read. */
export function replaceVirtualModels(models: readonly VirtualModel[]): void {
  globalThis.relayVirtualModels = new Map(models.map((each) => [each.name, each]));
}

/** The virtual model of a name that no model has. */
export const findVirtual = (name: string): VirtualModel | undefined =>
  findModel(name) === undefined ? globalThis.relayVirtualModels?.get(name) : undefined;

/** All whose name no model has. */
export const virtualModels = (): VirtualModel[] =>
  [...(globalThis.relayVirtualModels?.values() ?? [])].filter(({ name }) => findVirtual(name));

/** Where the rules name a model; -1 where they do not. */
function placeIn(wanted: readonly string[], model: Model): number {
  const names = namesOf(model);
  return wanted.findIndex((each) =>
    each.endsWith("*") ? model.id.startsWith(each.slice(0, -1)) : names.includes(each),
  );
}

const canText = (
  { contextMin, outputMin, needs }: VirtualModel,
  { contextTokens, outputTokensMax, ...model }: TextModel,
): boolean =>
  (contextTokens ?? 0) >= contextMin &&
  outputTokensMax >= outputMin &&
  (model.hasTools || !needs.includes("tools")) &&
  (model.hasReasoning || !needs.includes("reasoning")) &&
  (model.inputTokensPerImageMax !== null || !needs.includes("images"));

/** Those that the rules allow, prices aside; as listed where that is the order. */
export function fittingModels(virtual: VirtualModel, models: readonly Model[]): readonly Model[] {
  const { family, models: wanted } = virtual;
  const can = models.filter(
    (model) => model.family === family && (model.family !== "text" || canText(virtual, model)),
  );
  if (wanted.length === 0) return can;
  return can
    .map((model) => ({ model, place: placeIn(wanted, model) }))
    .filter(({ place }) => place >= 0)
    .toSorted((one, other) => one.place - other.place)
    .map(({ model }) => model);
}

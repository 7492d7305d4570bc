/** Finds the model that an order names, and its price for the caller. */
import { findAllowedModel } from "../../accounts/allowed-model";
import type { Principal } from "../../accounts/principal";
import type { Model } from "../../catalog/models";
import { findVirtual, type VirtualModel } from "../../catalog/virtual-models";
import type { Family } from "../../contract/states";
import { RelayError } from "../../failures/relay-error";
import type { PriceBook, PriceVersion } from "../../price-book/price-version";
import { dependsOnTime, timeOfDay } from "../../pricing/price-at";

type ModelOf<Kind extends Family> = Extract<Model, { family: Kind }>;

const made: Readonly<Record<Family, string>> = { text: "text", image: "images", video: "videos" };

const isOf = <Kind extends Family>(family: Kind, model: Model): model is ModelOf<Kind> =>
  model.family === family;

/**
 * The model called `name`, if it belongs to `family` and the caller may use it. Throws
 * `model_not_found` or `model_not_allowed`; for a model of another family throws what `refuse`
 * returns for its name and for what it generates.
 */
export function findModelOf<Kind extends Family>(
  family: Kind,
  name: string,
  principal: Principal,
  refuse: (name: string, generates: string) => RelayError,
): ModelOf<Kind> {
  const model = findAllowedModel(name, principal);
  if (!isOf(family, model)) throw refuse(name, made[model.family]);
  return model;
}

/** The virtual model called `name`; undefined where it is none. Throws what `refuse` returns for one of another family. */
export function findVirtualOf(
  family: Family,
  name: string,
  refuse: (name: string, generates: string) => RelayError,
): VirtualModel | undefined {
  const virtual = findVirtual(name);
  if (virtual !== undefined && virtual.family !== family) throw refuse(name, made[virtual.family]);
  return virtual;
}

/**
 * A model with the price at the time of the order and the caller's multiplier. Every amount of an
 * order is computed from these.
 */
export interface PricedModel<Sold extends Model = Model> {
  readonly model: Sold;
  readonly price: PriceVersion;
  /** The time of day of the order, where the price depends on it: see `Ordered`. */
  readonly time?: string;
  readonly multiplierPpm: number;
}

/** The model with its current price. Throws `price_missing`. */
export function priced<Sold extends Model>(
  model: Sold,
  principal: Principal,
  priceBook: PriceBook,
): PricedModel<Sold> {
  const price = priceBook.current(model.id);
  if (!price) throw new RelayError("price_missing", { internal: `no price for ${model.id}` });
  const multiplierPpm = principal.multiplierPpm(model.id);
  if (!dependsOnTime(price.price)) return { model, price, multiplierPpm };
  return { model, price, multiplierPpm, time: timeOfDay(Date.now()) };
}

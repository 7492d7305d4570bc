/** The model that an order names, and its price for who asks. */
import { findAllowedModel } from "../../accounts/allowed-model";
import type { Principal } from "../../accounts/principal";
import type { Model } from "../../catalog/models";
import type { Family } from "../../contract/states";
import { RelayError } from "../../errors";
import type { PriceBook, PriceVersion } from "../../price-book/price-version";

type ModelOf<Kind extends Family> = Extract<Model, { family: Kind }>;

const made: Readonly<Record<Family, string>> = { text: "text", image: "images", video: "videos" };

const isOf = <Kind extends Family>(family: Kind, model: Model): model is ModelOf<Kind> => model.family === family;

/**
 * The model called `name`, if it is of `family` and who asks may use it. Throws `model_not_found` or `model_not_allowed`, and
 * for a model of another family what `refuse` makes of its name and of what it generates.
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

/** A model at the price of one moment and the multiplier of who asks: every amount of an order comes from these. */
export interface PricedModel<Sold extends Model = Model> {
  readonly model: Sold;
  readonly price: PriceVersion;
  readonly multiplierPpm: number;
}

/** The model at the price of this moment. Throws `price_missing`. */
export function priced<Sold extends Model>(model: Sold, principal: Principal, priceBook: PriceBook): PricedModel<Sold> {
  const price = priceBook.current(model.id);
  if (!price) throw new RelayError("price_missing", { internal: `no price for ${model.id}` });
  return { model, price, multiplierPpm: principal.multiplierPpm(model.id) };
}

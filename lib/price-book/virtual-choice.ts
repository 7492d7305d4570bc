/** Which models a virtual one chooses for a caller, in their turn, and the range of their prices. */
import { findAllowedChoices } from "../accounts/allowed-model";
import type { Principal } from "../accounts/principal";
import type { Model } from "../catalog/models";
import type { VirtualModel } from "../catalog/virtual-models";
import { RelayError } from "../failures/relay-error";
import type { Micropoints } from "../money/points";
import { MULTIPLIER_PPM_ONE, type Price, priceOf } from "../pricing/price";
import { atTime, dependsOnTime } from "../pricing/price-at";
import { wholeAmounts } from "../pricing/rate";
import { multipliedRate } from "../pricing/rate-text";
import { typicalUsage } from "../pricing/typical";
import type { PriceBook } from "./price-version";

interface Choice {
  readonly model: Model;
  /** The list price. */
  readonly price: Price;
  readonly multiplierPpm: number;
}

/** What a choice looks at. */
export interface Choosing {
  readonly priceBook: PriceBook;
  /** Whether every channel of a model is in cooldown; without it, none is. */
  readonly chooser?: { readonly isResting: (model: string) => boolean } | undefined;
}

type Buyer = Pick<Principal, "multiplierPpm">;

const isWithin = (amount: Micropoints, points: number | null) =>
  points === null || amount <= BigInt(Math.round(points * 1e6));

/** Of a usual request, now. */
function usualCost({ model, price, multiplierPpm }: Choice): bigint {
  const usual = typicalUsage(model);
  const usage = dependsOnTime(price) ? atTime(usual, Date.now()) : usual;
  return priceOf(usage, price, multiplierPpm);
}

/** Those that are priced, and whose list price the rules allow. */
export function pricedChoices(
  { inputPriceMax, outputPriceMax, priceMax }: VirtualModel,
  models: readonly Model[],
  buyer: Buyer,
  priceBook: PriceBook,
): Choice[] {
  return models.flatMap((model) => {
    const price = priceBook.current(model.id)?.price;
    if (price === undefined) return [];
    const isAlwaysWithin = (part: "input" | "output", most: number | null) =>
      wholeAmounts(model.family, price, part).every((amount) => isWithin(amount, most));
    if (!isAlwaysWithin("input", inputPriceMax)) return [];
    if (!isAlwaysWithin("output", outputPriceMax)) return [];
    const usual = usualCost({ model, price, multiplierPpm: MULTIPLIER_PPM_ONE });
    if (!isWithin(usual, priceMax)) return [];
    return [{ model, price, multiplierPpm: buyer.multiplierPpm(model.id) }];
  });
}

const signOf = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0);

/** In the order of the rules; what rests comes last. The models of a request are the first of them. */
function inTurn({ order }: VirtualModel, choices: readonly Choice[], { chooser }: Choosing) {
  const way = order === "cheapest" ? 1 : order === "dearest" ? -1 : 0;
  const ranked = choices.map((choice) => ({
    model: choice.model,
    cost: way === 0 ? 0n : usualCost(choice),
    rests: chooser?.isResting(choice.model.id) ? 1 : 0,
  }));
  return ranked
    .toSorted((one, other) => one.rests - other.rests || way * signOf(one.cost - other.cost))
    .map(({ model }) => model);
}

/**
 * The models that a request for a virtual one tries, in their turn. Throws `model_not_found` or
 * `model_not_allowed`, and `no_channel_available` where none has a price that its rules allow.
 */
export function choicesOf(
  virtual: VirtualModel,
  principal: Principal,
  choosing: Choosing,
): Model[] {
  const allowed = findAllowedChoices(virtual, principal);
  const choices = pricedChoices(virtual, allowed, principal, choosing.priceBook);
  if (choices.length === 0)
    throw new RelayError("no_channel_available", {
      message: `No model of ${virtual.name} can be had now.`,
      retryAfterSeconds: 60,
    });
  return inTurn(virtual, choices, choosing).slice(0, virtual.tried);
}

interface Range {
  readonly min: Micropoints;
  readonly max: Micropoints;
}

/** The least and the most that the buyer pays: per million tokens, and for a usual request; null without a choice. */
export function priceRange(
  choices: readonly Choice[],
): { readonly [Part in "input" | "output" | "usual"]: Range } | null {
  if (choices.length === 0) return null;
  const rangeOf = (amountsOf: (choice: Choice) => readonly Micropoints[]): Range => {
    const sorted = choices.flatMap(amountsOf).toSorted((one, other) => signOf(one - other));
    return { min: sorted[0] ?? 0n, max: sorted.at(-1) ?? 0n };
  };
  const ratesOf =
    (part: "input" | "output") =>
    ({ model, price, multiplierPpm }: Choice) =>
      wholeAmounts(model.family, price, part).map((amount) =>
        multipliedRate(amount, multiplierPpm),
      );
  return {
    input: rangeOf(ratesOf("input")),
    output: rangeOf(ratesOf("output")),
    usual: rangeOf((choice) => [usualCost(choice)]),
  };
}

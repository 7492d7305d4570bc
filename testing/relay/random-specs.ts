/** Random models of images and videos, at random rates. */
import fc from "fast-check";
import { expect } from "vitest";
import type { ApiKeyPrincipal } from "@/lib/accounts/principal";
import type { Model } from "@/lib/catalog/model";
import { catalogueOf, replaceCatalogue } from "@/lib/catalog/models";
import { modelSpecs } from "@/lib/contract/model-file";
import { modelOf } from "@/lib/model-file/model-of";
import { priceOfRates, type Rate } from "@/lib/pricing/rate";
import { usualPrincipal } from "../accounts/usual-terms";

export const amount = fc.bigInt(0n, 90_000_003n);
export const ppm = fc.integer({ min: 1, max: 3_000_000 });
export const share = fc.double({ min: 0, max: 1, noNaN: true });

/** The model as its row is read again, which must be as it was written. */
export function stored(family: "image" | "video", given: object): Model {
  const spec = modelSpecs[family].parse(given);
  expect(modelSpecs[family].parse(JSON.parse(JSON.stringify(spec)))).toEqual(spec);
  const model = modelOf({
    ...{ id: "random", family, is_built_in: false, state: "offered", retires_at: null },
    ...{ replaced_by: null, created_at: new Date(0), version: 1, version_id: "1" },
    ...{ aliases: [], names: null, spec },
  });
  replaceCatalogue(catalogueOf([model]));
  return model;
}

export const principalAt = (multiplierPpm: number): ApiKeyPrincipal => ({
  ...usualPrincipal,
  multiplierPpm: () => multiplierPpm,
});
export const bookOf = (rates: readonly Rate[]) => {
  const version = { id: "1", model: "random", effectiveAt: new Date(0) };
  return { current: () => ({ ...version, price: priceOfRates(rates) }) };
};
export const isRefused = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
};

export const word = fc.stringMatching(/^[0-9A-Za-z._:-]{1,12}$/).filter((text) => text !== "auto");
const side = fc.integer({ min: 64, max: 4096 });
export const size = fc.tuple(side, side).map((sides) => sides.join("x"));
export const some = <Value>(value: fc.Arbitrary<Value>) =>
  fc.uniqueArray(value, { minLength: 1, maxLength: 5 });

/** The price lists that upstreams publish, as rates: millionths of a currency, per million of tokens. */

import { ratesOfFormula } from "../contract/formula-rates";
import type { PriceListFormat } from "../contract/price-list-words";
import type { StoredRate } from "../contract/rates";
import { listedModel } from "../contract/upstream-models";
import { isRecord } from "../values/records";
import {
  type Asked,
  type ListedRates,
  listOf,
  longRates,
  MILLION,
  mapOf,
  priceOf,
  ratesOf,
  withLong,
} from "./listed-rates";
import type { JsonObject } from "./provider";

/** Of another relay: its own prices for the key, in points. */
const relay = (answer: JsonObject): ListedRates =>
  mapOf(
    listOf(answer).map((entry) => {
      const read = listedModel.safeParse(entry);
      const rates = read.data?.pricing?.rates ?? [];
      return [
        entry.id,
        rates.map(({ points, ...rate }) => ({ ...rate, amount: Math.round(points * MILLION) })),
      ];
    }),
  );

/** A ratio of 1 is two dollars for a million tokens. */
const USD_OF_RATIO = 2;

/** So many formulas of a list are read. */
const FORMULAS_MAX = 500;

const ofFormula = (formula: unknown): StoredRate[] =>
  (typeof formula === "string" ? ratesOfFormula(formula) : null)?.flatMap(({ cost, ...rate }) =>
    ratesOf([[rate.unit, cost, 1]]).map(({ amount }) => ({ ...rate, amount })),
  ) ?? [];

/** Ratios, a price for a call (`quota_type` 1), or a formula. */
const newApi = (answer: JsonObject): ListedRates => {
  let formulas = 0;
  return mapOf(
    listOf(answer).map((entry) => {
      if (entry.billing_mode === "tiered_expr") {
        const formula = ++formulas <= FORMULAS_MAX ? entry.billing_expr : null;
        return [entry.model_name, ofFormula(formula)];
      }
      const { model_name: name, model_ratio: ratio, completion_ratio: completion } = entry;
      if (entry.quota_type === 1) return [name, ratesOf([["request", entry.model_price, 1]])];
      const input = priceOf(ratio);
      if (input === null) return [name, []];
      const times = (other: unknown) => {
        const by = priceOf(other);
        return by === null ? null : input * by * USD_OF_RATIO;
      };
      return [
        name,
        ratesOf([
          ["input_token", times(1), 1],
          ["cached_input_token", times(entry.cache_ratio), 1],
          ["cache_write_token", times(entry.create_cache_ratio), 1],
          ["output_token", times(completion ?? 1), 1],
        ]),
      ];
    }),
  );
};

const ofOpenRouter = (asked: JsonObject): readonly Asked[] => {
  const isSome = (value: unknown) => (priceOf(value) ? value : null);
  return [
    ["input_token", asked.prompt, MILLION],
    ["cached_input_token", isSome(asked.input_cache_read), MILLION],
    ["cache_write_token", isSome(asked.input_cache_write), MILLION],
    ["input_audio_token", isSome(asked.audio), MILLION],
    ["output_token", asked.completion, MILLION],
    ["reasoning_token", isSome(asked.internal_reasoning), MILLION],
    ["request", isSome(asked.request), 1],
  ];
};

const recordsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

const openRouter = (answer: JsonObject): ListedRates =>
  mapOf(
    listOf(answer).map(({ id, pricing }) => {
      const asked = isRecord(pricing) ? pricing : {};
      const long = recordsIn(asked.overrides).flatMap((each) =>
        longRates(Number(each.min_prompt_tokens), ofOpenRouter(each)),
      );
      return [id, withLong(ratesOf(ofOpenRouter(asked)), long)];
    }),
  );

/** The costs with an ending of their names. */
const costsOf = (costs: JsonObject, ending = ""): readonly Asked[] => [
  ["input_token", costs[`input_cost_per_token${ending}`], MILLION],
  ["cached_input_token", costs[`cache_read_input_token_cost${ending}`], MILLION],
  ["cache_write_token", costs[`cache_creation_input_token_cost${ending}`], MILLION],
  ["input_audio_token", costs[`input_cost_per_audio_token${ending}`], MILLION],
  ["output_token", costs[`output_cost_per_token${ending}`], MILLION],
  ["reasoning_token", costs[`output_cost_per_reasoning_token${ending}`], MILLION],
  ["audio_token", costs[`output_cost_per_audio_token${ending}`], MILLION],
  ["image", costs[`output_cost_per_image${ending}`], 1],
  ["second", costs[`output_cost_per_second${ending}`], 1],
];

/** Names that end so are for requests of more than so many thousand tokens. */
const longName = /_above_(\d{1,7})k_tokens$/;

/** Each tier has costs of its own from its range on; the first one's are those of short requests. */
function ofLiteLlm(costs: JsonObject): StoredRate[] {
  const thousands = Object.keys(costs).flatMap((name) => longName.exec(name)?.[1] ?? []);
  const named = [...new Set(thousands)].flatMap((each) =>
    longRates(Number(each) * 1000 + 1, costsOf(costs, `_above_${each}k_tokens`)),
  );
  const tiers = recordsIn(costs.tiered_pricing).map((tier) => ({
    tier,
    above: Array.isArray(tier.range) ? Number(tier.range[0]) : Number.NaN,
  }));
  const first = tiers.find(({ above }) => above === 0)?.tier ?? {};
  const ranged = tiers.flatMap(({ tier, above }) =>
    above > 0 ? longRates(above + 1, costsOf(tier)) : [],
  );
  return withLong(ratesOf(costsOf({ ...first, ...costs })), [...named, ...ranged]);
}

/** The file of models and costs, or what a proxy of LiteLLM answers at `/model/info`. */
const liteLlm = (answer: JsonObject): ListedRates =>
  Array.isArray(answer.data)
    ? mapOf(
        listOf(answer).map(({ model_name: name, model_info: costs }) => [
          name,
          isRecord(costs) ? ofLiteLlm(costs) : [],
        ]),
      )
    : mapOf(
        Object.entries(answer).map(([name, costs]) => [
          name,
          isRecord(costs) ? ofLiteLlm(costs) : [],
        ]),
      );

interface Format {
  /** Where the channel's upstream has it. */
  readonly path: string;
  readonly isAtRoot: boolean;
  read(answer: JsonObject): ListedRates;
}

export const priceListFormats: Readonly<Record<PriceListFormat, Format>> = {
  relay: { path: "/models", isAtRoot: false, read: relay },
  "new-api": { path: "/api/pricing", isAtRoot: true, read: newApi },
  openrouter: { path: "/models", isAtRoot: false, read: openRouter },
  litellm: { path: "/model/info", isAtRoot: true, read: liteLlm },
};

export interface PriceListPlace {
  readonly format: PriceListFormat;
  /** Null: where the channel's base URL has it. */
  readonly address: string | null;
}

export type PriceListRead =
  | { readonly isOk: true; readonly rates: ListedRates }
  | { readonly isOk: false; readonly reason: string };

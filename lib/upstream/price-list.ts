/** The price lists that upstreams publish, as rates: millionths of a currency, per million of tokens. */

import type { PriceListFormat } from "../contract/price-list-words";
import type { StoredRate } from "../contract/rates";
import { isShownText } from "../contract/shown-rule";
import type { Unit } from "../contract/units";
import { listedModel } from "../contract/upstream-models";
import { isRecord } from "../values/records";
import type { JsonObject } from "./provider";

type ListedRates = ReadonlyMap<string, readonly StoredRate[]>;

const RATE_MAX = 1e15;
const MILLION = 1e6;

/** A price, as a number or its decimal text; null for anything else. */
function priceOf(value: unknown): number | null {
  const price = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof price === "number" && price >= 0 && price * MILLION * MILLION <= RATE_MAX
    ? price
    : null;
}

/** `each`: units of the currency for one of the unit, and how many of them a rate is for. */
function ratesOf(each: readonly (readonly [Unit, unknown, number])[]): StoredRate[] {
  return each.flatMap(([unit, value, count]) => {
    const price = priceOf(value);
    return price === null ? [] : [{ unit, amount: Math.round(price * count * MILLION) }];
  });
}

const listOf = ({ data }: JsonObject): readonly JsonObject[] =>
  Array.isArray(data) ? data.filter(isRecord) : [];

function mapOf(entries: readonly (readonly [unknown, readonly StoredRate[]])[]): ListedRates {
  const named = new Map<string, readonly StoredRate[]>();
  for (const [name, rates] of entries)
    if (typeof name === "string" && isShownText(name) && rates.length > 0) named.set(name, rates);
  return named;
}

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

/** Ratios, or a price for a call. `quota_type` 1: by the call. */
const newApi = (answer: JsonObject): ListedRates =>
  mapOf(
    listOf(answer).map((entry) => {
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

const openRouter = (answer: JsonObject): ListedRates =>
  mapOf(
    listOf(answer).map(({ id, pricing }) => {
      const asked = isRecord(pricing) ? pricing : {};
      const isSome = (value: unknown) => (priceOf(value) ? value : null);
      return [
        id,
        ratesOf([
          ["input_token", asked.prompt, MILLION],
          ["cached_input_token", isSome(asked.input_cache_read), MILLION],
          ["cache_write_token", isSome(asked.input_cache_write), MILLION],
          ["input_audio_token", isSome(asked.audio), MILLION],
          ["output_token", asked.completion, MILLION],
          ["reasoning_token", isSome(asked.internal_reasoning), MILLION],
          ["request", isSome(asked.request), 1],
        ]),
      ];
    }),
  );

const ofLiteLlm = (costs: JsonObject): StoredRate[] =>
  ratesOf([
    ["input_token", costs.input_cost_per_token, MILLION],
    ["cached_input_token", costs.cache_read_input_token_cost, MILLION],
    ["cache_write_token", costs.cache_creation_input_token_cost, MILLION],
    ["input_audio_token", costs.input_cost_per_audio_token, MILLION],
    ["output_token", costs.output_cost_per_token, MILLION],
    ["reasoning_token", costs.output_cost_per_reasoning_token, MILLION],
    ["audio_token", costs.output_cost_per_audio_token, MILLION],
    ["image", costs.output_cost_per_image, 1],
    ["second", costs.output_cost_per_second, 1],
  ]);

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

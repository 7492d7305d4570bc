/**
 * The units in which requests are counted and priced. Rates, quotes, receipts and the database's
 * checks use these words. This file imports nothing, since the browser imports it.
 */

/** Units that are priced per 1,000,000; the others are priced per one. */
const tokenUnits = [
  "input_token",
  "cached_input_token",
  "cache_write_token",
  "input_audio_token",
  "output_token",
  "reasoning_token",
  "audio_token",
  "image_token",
  "video_token",
] as const;
const singleUnits = [
  "image",
  "input_image",
  "partial_image",
  "second",
  "tool_call",
  "request",
] as const;
export const units = [...tokenUnits, ...singleUnits] as const;
export type Unit = (typeof units)[number];

/** What of an order a price may depend on besides the unit. */
export const orderSelectors = [
  "size",
  "quality",
  "resolution",
  "audio",
  "input_video",
  "tier",
] as const;
/** What a price may depend on besides the unit: also the length of the input, and the time of day. */
export const selectors = [...orderSelectors, "input_from", "hours"] as const;
export type Selector = (typeof selectors)[number];
/** Those that are true or false; the others are words. */
export const isTruthSelector = (name: Selector): name is "audio" | "input_video" =>
  name === "audio" || name === "input_video";

/** The rates of one price. */
export const RATES_MAX = 64;
export const SELECTOR_LENGTH_MAX = 40;
export const selectorForm = /^[0-9A-Za-z._:-]+$/;
/** Times of day in UTC: from the first on, until before the second, which may be on the next day. */
export const hoursForm = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Whether a rate of the unit is for one of it, not for 1,000,000. */
export const isPerOne = (unit: Unit): boolean => singleUnits.some((single) => single === unit);

/** Whether any of a price's rates is for tokens, so that their number says something about its cost. */
export const hasTokenRate = (rates: readonly { readonly unit: Unit }[]): boolean =>
  rates.some(({ unit }) => !isPerOne(unit));

/** The units in which a family can be priced, the tokens that it generates among them. */
export const unitsOfFamily = {
  text: [
    "input_token",
    "cached_input_token",
    "cache_write_token",
    "input_audio_token",
    "output_token",
    "reasoning_token",
    "audio_token",
    "tool_call",
    "request",
  ],
  image: ["image_token", "image", "input_image", "partial_image", "tool_call", "request"],
  video: ["video_token", "second", "tool_call", "request"],
} as const satisfies Readonly<Record<string, readonly Unit[]>>;

/** The unit of the tokens that a family generates. */
export const outputUnitOf = {
  text: "output_token",
  image: "image_token",
  video: "video_token",
} as const;

/** What is counted of the input apart from the rest. */
export const inputParts: readonly Unit[] = [
  "cached_input_token",
  "cache_write_token",
  "input_audio_token",
];

/** The whole input, and what each family generates: every other unit is a part of them or counted beside them. */
const mainUnits: readonly Unit[] = ["input_token", ...Object.values(outputUnitOf)];

const isTextToken = (unit: Unit): boolean =>
  unit.endsWith("_token") && unitsOfFamily.text.some((own) => own === unit);

/** The selectors that a rate of a unit may have. */
export const selectorsOfUnit = (unit: Unit): readonly Selector[] => {
  if (unit === "image") return ["size", "quality", "hours"];
  if (unit === "second" || unit === "video_token")
    return ["resolution", "audio", "input_video", "tier", "hours"];
  return isTextToken(unit) ? ["tier", "input_from", "hours"] : ["hours"];
};

/** Whether a rate is the one of all tokens in or out, whatever was ordered. */
export const isMainRate = (
  rate: { readonly unit: Unit } & { readonly [Name in Selector]?: unknown },
) => mainUnits.includes(rate.unit) && selectors.every((name) => rate[name] === undefined);

/** What a request used, by unit. */
import type { Family } from "../contract/states";
import { orderSelectors, outputUnitOf, type Unit, units } from "../contract/units";
import type { Ordered } from "./rate";

/** Whole counts, not negative. */
export interface TokenUsage {
  /** All input, with what was read from a cache or written to one. */
  readonly inputTokens: number;
  /** All that was generated, with the reasoning. */
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** What of the input is sound, apart from what was read from a cache or written to one; of a bound: at most. */
  readonly inputAudioTokens?: number;
  readonly reasoningTokens?: number;
  /** What of the output is spoken; of a bound: present where some may be. */
  readonly audioTokens?: number;
  readonly images?: number;
  /** Images that it works from. */
  readonly inputImages?: number;
  /** Pictures of images that are not finished. */
  readonly partialImages?: number;
  readonly seconds?: number;
  /** Calls of the upstream's own tools. */
  readonly toolCalls?: number;
  /** Absent for one. */
  readonly requests?: number;
  /** What rates are selected by. */
  readonly ordered?: Ordered;
}

/** The quantities by unit, each counted once, with what was ordered. */
export type Quantities = Readonly<Partial<Record<Unit, number>>> & Ordered;

/** The quantity of a unit that is not the whole input or output. */
export function quantityOf(usage: TokenUsage, unit: Unit): number {
  switch (unit) {
    case "cached_input_token":
      return usage.cachedInputTokens ?? 0;
    case "cache_write_token":
      return usage.cacheWriteTokens ?? 0;
    case "input_audio_token":
      return usage.inputAudioTokens ?? 0;
    case "reasoning_token":
      return usage.reasoningTokens ?? 0;
    case "audio_token":
      return usage.audioTokens ?? 0;
    case "image":
      return usage.images ?? 0;
    case "input_image":
      return usage.inputImages ?? 0;
    case "partial_image":
      return usage.partialImages ?? 0;
    case "second":
      return usage.seconds ?? 0;
    case "tool_call":
      return usage.toolCalls ?? 0;
    // As a rate beside the main one: all of the output, at what was ordered.
    case "image_token":
    case "video_token":
      return usage.outputTokens;
    case "request":
      return usage.requests ?? 1;
    default:
      return 0;
  }
}

const wholes: readonly Unit[] = ["input_token", ...Object.values(outputUnitOf)];
const parts = units.filter((unit) => !wholes.includes(unit));

/** `usage` for a settlement. What is part of the input or the output is not counted in it again. */
export function quantitiesOf(family: Family, usage: TokenUsage): Quantities {
  const { cachedInputTokens = 0, cacheWriteTokens = 0, inputAudioTokens = 0 } = usage;
  const { reasoningTokens = 0, audioTokens = 0 } = usage;
  const counted: Partial<Record<Unit, number>> = {};
  if (family === "text")
    counted.input_token =
      usage.inputTokens - cachedInputTokens - cacheWriteTokens - inputAudioTokens;
  counted[outputUnitOf[family]] = usage.outputTokens - reasoningTokens - audioTokens;
  for (const unit of parts) {
    const quantity = quantityOf(usage, unit);
    if (quantity > 0) counted[unit] = quantity;
  }
  return usage.ordered === undefined ? counted : { ...counted, ...usage.ordered };
}

const orderedNames = [...orderSelectors, "time"] as const;

/** The wholes of a settlement, from its own columns, with the parts that it has written down. */
export function usageOf(
  whole: { readonly inputTokens: number; readonly outputTokens: number },
  quantities: Quantities | null,
): TokenUsage {
  // A settlement of an earlier release has the tokens only, and its request was not counted.
  if (quantities === null) return { ...whole, requests: 0 };
  return {
    ...whole,
    cachedInputTokens: quantities.cached_input_token ?? 0,
    cacheWriteTokens: quantities.cache_write_token ?? 0,
    inputAudioTokens: quantities.input_audio_token ?? 0,
    reasoningTokens: quantities.reasoning_token ?? 0,
    audioTokens: quantities.audio_token ?? 0,
    images: quantities.image ?? 0,
    inputImages: quantities.input_image ?? 0,
    partialImages: quantities.partial_image ?? 0,
    seconds: quantities.second ?? 0,
    toolCalls: quantities.tool_call ?? 0,
    requests: quantities.request ?? 0,
    ordered: Object.fromEntries(orderedNames.map((name) => [name, quantities[name]])),
  };
}

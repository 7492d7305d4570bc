/** What an upstream's own list says of a model, as a model's file. */
import type { Family } from "../contract/states";
import { type ListedModel, listedModel } from "../contract/upstream-models";
import { invalidValue } from "../failures/relay-error";
import { formatPoints, type Micropoints, parsePoints } from "../money/points";
import { MULTIPLIER_PPM_MAX, MULTIPLIER_PPM_ONE } from "../pricing/price";
import { multipliedRate } from "../pricing/rate-text";

/** The entries that have a name; others are left out. */
export const readListed = (entries: readonly unknown[]): ListedModel[] =>
  entries.flatMap((entry) => {
    const read = listedModel.safeParse(entry);
    return read.success ? [read.data] : [];
  });

function specOf(family: Family, { capabilities: can = {}, context_length }: ListedModel) {
  if (family === "text")
    return {
      output_tokens_max: can.output_tokens_max ?? context_length,
      context_tokens: context_length ?? null,
    };
  if (family === "video") {
    const [min, max] = [can.duration_seconds_min, can.duration_seconds_max];
    return {
      durations: can.durations ?? { min, max, default: min },
      resolutions: can.resolutions,
      ratios: can.ratios,
      reference_images_max: can.reference_images_max,
      audio: can.audio,
      last_frame: can.last_frame,
      offers: can.offers,
    };
  }
  const { sizes = {}, sizes_allowed: listed, qualities, quality_default } = can;
  return {
    side_pixels_min: can.side_pixels_min,
    side_pixels_max: can.side_pixels_max,
    reference_images_max: can.reference_images_max,
    size_default: listed?.[0] ?? Object.values(sizes)[0],
    sizes: listed ?? sizes,
    ...(qualities && { qualities, quality_default }),
  };
}

/** The multiplier for a margin in millionths of a percent. Throws `invalid_value` above 9900 %. */
export function multiplierOfMargin(margin: Micropoints): number {
  const ppm = MULTIPLIER_PPM_ONE + Number(margin / 100n);
  if (ppm <= MULTIPLIER_PPM_MAX) return ppm;
  throw invalidValue(
    "margin",
    `margin is ${formatPoints(margin)} percent: at most 9900 are allowed.`,
  );
}

interface Terms {
  readonly id: string;
  /** 1,000,000 for the upstream's own price. */
  readonly multiplierPpm: number;
  /** The upstream's price in points, where its list has none. */
  readonly price: { readonly input: Micropoints; readonly output: Micropoints } | null;
}

function ratesOf({ pricing }: ListedModel, { multiplierPpm, price }: Terms) {
  const priced = (amount: Micropoints) => formatPoints(multipliedRate(amount, multiplierPpm));
  if (price !== null)
    return [
      { unit: "input_token", points: priced(price.input) },
      { unit: "output_token", points: priced(price.output) },
    ];
  return pricing?.rates.map(({ points, ...rate }) => ({
    ...rate,
    points: priced(parsePoints(points.toFixed(6)) ?? 0n),
  }));
}

/** The content of a file; what the list does not say is missing in it, and refused by name. */
function fileOfListed(model: ListedModel, terms: Terms) {
  const family = model.family ?? "text";
  const rates = ratesOf(model, terms);
  return { id: terms.id, family, spec: specOf(family, model), ...(rates && { rates }) };
}

/**
 * The files of some models of an upstream's list, each under a name of ours. Throws `invalid_value`
 * for a model that is not in the list.
 */
export const filesOfListed = (
  found: readonly ListedModel[],
  models: readonly { readonly id: string; readonly upstreamModel: string }[],
  terms: Omit<Terms, "id">,
) =>
  models.map(({ id, upstreamModel }) => {
    const listed = found.find((each) => each.id === upstreamModel);
    if (listed === undefined)
      throw invalidValue(
        "models",
        `models has ${upstreamModel}, which the upstream does not list.`,
      );
    return { content: fileOfListed(listed, { ...terms, id }), upstreamModel };
  });

/** What a customer could order of a model and its rates say no price for. */
import { parseImageSize } from "../catalog/image-sizes";
import type { ImageModel, Model } from "../catalog/model";
import type { Unit } from "../contract/units";
import { isFor, type Rate, type Selectors } from "../pricing/rate";
import { USUAL_QUALITY } from "../pricing/typical";

/** Those that are declared; of a model of an earlier release, those of its rates. */
function qualitiesOf({ qualities }: ImageModel, rates: readonly Rate[]) {
  if (qualities.length > 0) return qualities;
  const named = rates.flatMap(({ quality }) => (quality === undefined ? [] : [quality]));
  return named.length === 0 ? [undefined] : [...new Set([...named, USUAL_QUALITY])];
}

function ordersOf(model: Model, unit: Unit, rates: readonly Rate[]): Selectors[] {
  if (unit === "second" && model.family === "video")
    return model.resolutions.flatMap((resolution) =>
      (model.hasAudio ? [false, true] : [false]).map((audio) => ({ resolution, audio })),
    );
  if (unit !== "image" || model.family !== "image") return [];
  const sizes = new Set([
    ...(model.sizes ?? [model.sizeDefault, ...Object.values(model.ratioSizes)]),
  ]);
  const qualities = qualitiesOf(model, rates);
  const named = Object.keys(model.options.sizeNames);
  const inPixels = [...sizes].map((text) => (parseImageSize(text) ?? []).join("x"));
  return [...inPixels, ...named].flatMap((size) => {
    return qualities.map((quality) => ({ size, ...(quality && { quality }) }));
  });
}

/** Each as a person reads it, such as `second resolution=1080p audio=true`. */
export function rateGaps(model: Model, rates: readonly Rate[]): string[] {
  const perOne = rates.filter(({ unit }) => unit === "second" || unit === "image");
  return [...new Set(perOne.map(({ unit }) => unit))].flatMap((unit) => {
    const own = perOne.filter((rate) => rate.unit === unit);
    return ordersOf(model, unit, own)
      .filter((ordered) => !own.some((rate) => isFor(rate, ordered)))
      .map((ordered) =>
        [unit, ...Object.entries(ordered).map(([name, value]) => `${name}=${value}`)].join(" "),
      );
  });
}

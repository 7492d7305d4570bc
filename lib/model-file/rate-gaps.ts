/** What a customer could order of a model and its rates say no price for. */
import { parseImageSize } from "../catalog/image-sizes";
import type { ImageModel, Model, VideoModel } from "../catalog/model";
import { isMainRate, type Unit } from "../contract/units";
import { serviceTiers } from "../contract/video-settings";
import { isFor, type Rate, type Selectors } from "../pricing/rate";
import { USUAL_QUALITY } from "../pricing/typical";

/** Those that are declared; of a model of an earlier release, those of its rates. */
function qualitiesOf({ qualities }: ImageModel, rates: readonly Rate[]) {
  if (qualities.length > 0) return qualities;
  const named = rates.flatMap(({ quality }) => (quality === undefined ? [] : [quality]));
  return named.length === 0 ? [undefined] : [...new Set([...named, USUAL_QUALITY])];
}

/** All that can be ordered of a video, as far as its rates depend on it. */
function videoOrdersOf({ offers, ...model }: VideoModel, rates: readonly Rate[]): Selectors[] {
  const dependsOn = (name: "input_video" | "tier") =>
    rates.some((rate) => rate[name] !== undefined);
  const sources = offers.input_videos ? [false, true] : [false];
  const tiers =
    rates.some(({ tier }) => tier === "flex") && offers.flex ? serviceTiers : ["default"];
  const orders = model.resolutions.flatMap((resolution) =>
    (model.audio ? [false, true] : [false]).map((audio) => ({ resolution, audio })),
  );
  const bySource = dependsOn("input_video")
    ? orders.flatMap((order) => sources.map((input_video) => ({ ...order, input_video })))
    : orders;
  return dependsOn("tier")
    ? bySource.flatMap((order) => tiers.map((tier) => ({ ...order, tier })))
    : bySource;
}

function ordersOf(model: Model, unit: Unit, rates: readonly Rate[]): Selectors[] {
  if (model.family === "video") return unit === "tool_call" ? [] : videoOrdersOf(model, rates);
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
  const chosen = rates.filter((rate) => !isMainRate(rate) && rate.unit !== "request");
  return [...new Set(chosen.map(({ unit }) => unit))].flatMap((unit) => {
    const own = chosen.filter((rate) => rate.unit === unit);
    return ordersOf(model, unit, own)
      .filter((ordered) => !own.some((rate) => isFor(rate, ordered)))
      .map((ordered) =>
        [unit, ...Object.entries(ordered).map(([name, value]) => `${name}=${value}`)].join(" "),
      );
  });
}

/**
 * The order of a model whose upstream bills the seconds of the videos that it works from: they
 * are read from the files before anything is held.
 */
import { RelayError } from "../../failures/relay-error";
import type { InputLengths } from "../../media/input-length";
import { LengthUnknown } from "../../media/movie-length";
import type { PriceBook } from "../../price-book/price-version";
import type { RequestedVideo } from "./requested-order";
import { type VideoPurchase, withInputSeconds } from "./video-order";

export interface MeasureDeps {
  readonly priceBook: PriceBook;
  readonly inputLengths: Pick<InputLengths, "secondsOf">;
}

const refused = (param: string, message: string) =>
  new RelayError("unsupported_value", { param, message });

async function secondsOf(
  { inputLengths }: MeasureDeps,
  url: string,
  param: string,
  model: string,
): Promise<number> {
  const rule = `${model} is billed by the seconds of the videos that it works from`;
  if (url.startsWith("asset:"))
    throw refused(param, `${rule}: send an https: URL, since an asset's length cannot be read.`);
  try {
    // A part of a second may be billed as a whole one.
    return Math.ceil(await inputLengths.secondsOf(url));
  } catch (error) {
    if (!(error instanceof LengthUnknown)) throw error;
    const message = `${rule}, and that of \`${param}\` cannot be read: ${error.message}. Send an mp4 or mov file.`;
    throw new RelayError("unsupported_value", { param, message, cause: error });
  }
}

/** An order as `bounded` has it, with the seconds of its input where they count. */
export async function measuredOrder(
  deps: MeasureDeps,
  bounded: VideoPurchase,
  requested: RequestedVideo,
): Promise<VideoPurchase> {
  const { model } = bounded;
  const { measured = false, seconds_max = 0 } = model.offers.input_videos ?? {};
  const { referenceVideoUrls: urls, params } = requested;
  if (!measured || urls.length === 0) return bounded;
  const each = urls.map((url) => secondsOf(deps, url, params.videos, model.id));
  const total = (await Promise.all(each)).reduce((sum, seconds) => sum + seconds, 0);
  if (total > seconds_max)
    throw refused(
      params.videos,
      `\`${params.videos}\` has videos of ${total} seconds: ${model.id} allows at most ${seconds_max} seconds of all together.`,
    );
  return withInputSeconds(bounded, requested, total);
}

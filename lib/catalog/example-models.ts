/**
 * The models that the examples of the documentation and of the API document name: those on offer
 * that can do what the examples ask for.
 */
import { parseImageSize } from "./image-sizes";
import { firstModelOf, type ImageModel, type VideoModel } from "./models";

const SECONDS = 5;
const SIZES = ["512x512", "1024x1024"];
const REFERENCES = 2;

function makesVideo(model: VideoModel): boolean {
  const { durations, durationSecondsMin, durationSecondsMax, resolutions, ratios } = model;
  const isLong = durationSecondsMin <= SECONDS && SECONDS <= durationSecondsMax;
  return (
    (durations?.includes(SECONDS) ?? isLong) &&
    resolutions.includes("480p") &&
    resolutions.includes("720p") &&
    ratios.includes("16:9")
  );
}

function makesImage({ sizes, sidePixelsMin, sidePixelsMax, referenceImagesMax }: ImageModel) {
  const isWithin = (size: string) =>
    (parseImageSize(size) ?? []).every((side) => sidePixelsMin <= side && side <= sidePixelsMax);
  return referenceImagesMax > 0 && SIZES.every((size) => sizes?.includes(size) ?? isWithin(size));
}

export const exampleText = (): string => firstModelOf("text").alias;

export const exampleVideo = (): string => firstModelOf("video", makesVideo).alias;

/** With sound and reference images, where there is one. */
export const exampleFilm = (): string =>
  firstModelOf(
    "video",
    (model) => makesVideo(model) && model.audio && model.referenceImagesMax >= REFERENCES,
  ).alias;

export const exampleImage = (): string => firstModelOf("image", makesImage).alias;

/**
 * The requests with which the home page and the docs explain a charge. A test holds what they would
 * hold to what the relay holds.
 */
import type { VideoModel } from "../catalog/models";
import { videoTokensMax } from "../catalog/video-sizes";
import { typicalUsage } from "./typical";

/** A short answer with a cap on its length: the example "capped" of the API document. */
export const chatExample = {
  /** What is held: the bytes of the request, and the cap. */
  bound: { inputTokens: 195, outputTokens: 300 },
  /** What a model uses for it. */
  used: { inputTokens: 24, outputTokens: 46 },
};

/** The model's typical video: its quote, and what is held for the largest frame of its tier. */
export const videoExample = (model: VideoModel) => ({
  quoted: typicalUsage(model),
  held: {
    ...typicalUsage(model),
    outputTokens: videoTokensMax(model.resolutionDefault, model.durationSecondsDefault),
  },
});

import { plainVideo, type VideoOrder } from "@/lib/upstream/media-provider";

/** A video as the relay orders it from an upstream. */
export const videoOrder: VideoOrder = {
  model: "Super-Relay2.0",
  prompt: "A lighthouse",
  resolution: "720p",
  ratio: "16:9",
  durationSeconds: 5,
  ...plainVideo,
  clientReference: "cgt-ours",
};

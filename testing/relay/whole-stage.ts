/** A relay that sells a video model with everything, and two scripted upstreams that make it. */
import type { VideoDeps } from "@/lib/relay/video/video-deps";
import { serveFind } from "../stage/serve-find";
import { startVideoUpstream, succeeded, type VideoUpstream } from "../upstream/video-upstream";
import { sellModel } from "./sold-model";
import { openTestRelay } from "./test-relay";
import { TASKS, videoClient } from "./video-client";
import { wholeVideo } from "./whole-video";

export const file = (name: string) => `https://files.example/${name}`;
export const text = { type: "text", text: "a boat" };
export const image = (role: string, url = file("a.png")) => ({
  type: "image_url",
  image_url: { url },
  role,
});
export const video = {
  type: "video_url",
  video_url: { url: file("a.mp4") },
  role: "reference_video",
};
export const sound = {
  type: "audio_url",
  audio_url: { url: "asset://sound-1" },
  role: "reference_audio",
};

const settings = {
  service_tier: "flex",
  return_last_frame: true,
  execution_expires_after: 7200,
  priority: 3,
  tools: [{ type: "web_search" }],
  output_format: "mov",
  omni_reference_task_type: "extend",
  safety_identifier: "user-7",
};
export const model = wholeVideo.id;
/** Two orders that together have every field. */
export const whole = {
  model,
  content: [text, image("reference_image"), video, sound],
  ...{ resolution: "4k", ratio: "adaptive", duration: -1, seed: 11 },
  ...{ generate_audio: true, watermark: true, camera_fixed: true },
  ...settings,
};
export const framed = {
  model,
  content: [text, image("first_frame"), image("last_frame", file("b.png"))],
  ...{ resolution: "2k", ratio: "1:1", frames: 57, generate_audio: false, watermark: false },
  draft: true,
};

export async function startWholeStage(wrapVideo: (deps: VideoDeps) => VideoDeps = (deps) => deps) {
  const upstream = await startVideoUpstream("ch_one");
  const other = await startVideoUpstream("ch_two", { priority: -1 });
  upstream.script.state = () => succeeded();
  other.script.state = () => succeeded();
  const channels = [upstream.channel, other.channel];
  const relay = await openTestRelay({ channels, points: "1000000", wrapVideo });
  await sellModel(relay, wholeVideo);
  const web = await serveFind(relay.find);
  const client = videoClient(() => relay);
  client.work({
    results: { ...relay.video.results, copyThumbnail: async () => "media_last.png" },
  });
  const post = (path: string, body: object) => relay.send(path, { body: JSON.stringify(body) });
  return {
    ...{ upstream, other, relay, client, post },
    /** The address of the API over real HTTP. */
    url: `http://127.0.0.1:${web.port}/v1`,
    order: (body: object) => post(TASKS, body),
    /** The last order that an upstream got. */
    sent: ({ tasks }: VideoUpstream = upstream) => tasks.at(-1)?.body,
    /** Returns what is wrong with the ledger. */
    async close() {
      await web.close();
      const faults = await client.close();
      await Promise.all([upstream.close(), other.close()]);
      return faults;
    },
  };
}
export type WholeStage = Awaited<ReturnType<typeof startWholeStage>>;

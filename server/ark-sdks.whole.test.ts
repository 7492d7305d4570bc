/** The unmodified SDKs of the upstream's two services, from PyPI: only in `npm run test:whole`. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { pythonPath } from "@/testing/clients/libraries/python";
import { pythonWith } from "@/testing/clients/python";
import { fieldTables } from "@/testing/fields/documented";
import { delivering, picture, file as series } from "@/testing/relay/image-series";
import { sellModel } from "@/testing/relay/sold-model";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { wholeVideo } from "@/testing/relay/whole-video";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";
import { startUpstream } from "@/testing/upstream/test-upstream";
import { startVideoUpstream, succeeded } from "@/testing/upstream/video-upstream";

const runFile = promisify(execFile);

const upstream = await opened(startVideoUpstream());
const relay = await opened(openTestRelay({ channels: [upstream.channel], points: "100000" }));
const web = await opened(serveFind(relay.find));
const worker = await openWorker(relay.videoDeps());

upstream.script.state = () => succeeded(50_000, { service_tier: "flex" });
const pictures = await opened(startUpstream(delivering(picture, picture, picture)));
await sellModel(relay, wholeVideo);
await sellModel(relay, series);
worker.start();

const file = "https://files.example/a";
const order = {
  model: wholeVideo.id,
  content: [
    { type: "text", text: "a boat" },
    { type: "image_url", image_url: { url: file }, role: "reference_image" },
    { type: "video_url", video_url: { url: file }, role: "reference_video" },
    { type: "audio_url", audio_url: { url: file }, role: "reference_audio" },
  ],
  ...{ resolution: "1080p", ratio: "4:3", duration: 6, seed: 9, generate_audio: true },
  ...{ watermark: true, camera_fixed: false, return_last_frame: true, service_tier: "flex" },
  ...{ execution_expires_after: 7200, priority: 2, safety_identifier: "user-7", draft: false },
  ...{ tools: [{ type: "web_search" }], output_format: "mp4", omni_reference_task_type: "auto" },
};

const sdks = [
  ["Volcengine SDK", "volcenginesdkarkruntime", ["volcengine-python-sdk[ark]==5.0.53"]],
  ["BytePlus SDK", "byteplussdkarkruntime", ["byteplus-python-sdk-v2[ark]==3.0.63"]],
] as const;
/** What they import, and BytePlus' does not ask for. */
const needed = ["httpx==0.28.1", "sniffio==1.3.1", "anyio==4.9.0"];

const imageOrder = {
  ...{ model: series.id, prompt: "a fox", size: "512x512", seed: 9 },
  ...{ sequential_image_generation: "auto", guidance_scale: 2.5, watermark: true },
  sequential_image_generation_options: { max_images: 3 },
  optimize_prompt_options: { mode: "fast" },
  ...{ output_format: "jpeg", response_format: "url", image: [file, file] },
};

/** Runs a script with one of the SDKs; returns the parameters of its call that it knows. */
async function namesOf(python: string, script: string, module: string, body: object) {
  const { stdout } = await runFile(python, [join(pythonPath, script)], {
    env: {
      ...process.env,
      ...{ RELAY_SDK: module, RELAY_API_KEY: "good", RELAY_ORDER: JSON.stringify(body) },
      RELAY_BASE_URL: `http://127.0.0.1:${web.port}/v1`,
    },
    timeout: 60_000,
  });
  return JSON.parse(stdout) as string[];
}

/** Those that the table does not give to the client. */
function unknown(table: string, client: string, names: readonly string[]): string[] {
  const fields = fieldTables.find(({ name }) => name === table)?.fields ?? [];
  const known = fields
    .filter(({ clients }) => clients.some((each) => each === client))
    .map(({ field }) => field.split(/[ ,.]/)[0]);
  return names.filter((name) => !known.includes(name));
}
const given = (body: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

test.for(sdks)(
  "the %s sends every field of its types, and reads the answers",
  { timeout: 300_000 },
  async ([client, module, packages], { skip }) => {
    const python = pythonWith([...packages, ...needed]);
    if ("reason" in python) return skip(python.reason);
    relay.setting.channels = [upstream.channel];
    const ofTasks = await namesOf(python.python, "ark_tasks.py", module, order);
    expect(unknown("Video tasks", client, ofTasks)).toEqual([]);
    expect(upstream.tasks.at(-1)?.body).toEqual(given(order, ofTasks));
    const models = { [series.id]: series.id };
    relay.setting.channels = [pictures.channel({ protocol: "ark", models })];
    const ofImages = await namesOf(python.python, "ark_images.py", module, imageOrder);
    expect(unknown("Images", client, ofImages)).toEqual([]);
    expect(pictures.seen.at(-1)?.body).toMatchObject(given(imageOrder, ofImages));
  },
);

/**
 * `npm run bench:models -- [models]`: what a long catalogue costs. Loads chat with the built-in models
 * only and again with that many more, each time beside the bare proxy; then reads the lists and the
 * pages that name every model.
 */
import pg from "pg";
import { offerModel } from "@/lib/commands/model-states";
import { createModel } from "@/lib/commands/models";
import { pause } from "@/lib/timing/pause";
import { requestBytes } from "./chat-request";
import { medianOf, runLoad } from "./load";
import { avoidFirstCore, openStage, type Stage } from "./stage";
import { timedLoad } from "./timed-load";

const models = Number(process.argv[2] ?? 1000);
const ROUNDS = 10;
const CALLERS = 32;
const READS = 15;
/** Every process knows a change of models within this time. */
const RENEWED_MS = 6000;
const pages = ["/pricing", "/models", "/openapi.json", "/llms.txt", "/api/prices"];

/** Of each ten, eight text models, one video model and one image model. */
function fileOf(at: number): object {
  const id = `acme-model-${String(at).padStart(4, "0")}`;
  if (at % 10 === 8)
    return {
      id,
      family: "video",
      spec: { durations: [4, 8], resolutions: ["480p", "720p"], audio: true },
      rates: [{ unit: "second", points: 5 }],
    };
  if (at % 10 === 9)
    return {
      id,
      family: "image",
      spec: { sizes: ["1024x1024", "1536x1024"], qualities: ["standard", "high"] },
      rates: [{ unit: "image", points: 8 }],
    };
  return {
    id,
    family: "text",
    aliases: [`${id}-latest`],
    spec: { output_tokens_max: 32_000 },
    rates: [
      { unit: "input_token", points: 3 },
      { unit: "cached_input_token", points: 1 },
      { unit: "output_token", points: 12 },
    ],
  };
}

async function addModels(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  for (let at = 0; at < models; at++) {
    const { id } = await createModel({ pool }, "bench", fileOf(at));
    await offerModel({ pool }, "bench", { id, anyway: "a benchmark" });
  }
  await pool.end();
}

/** Processor time of one chat request, in microseconds. */
async function chat({ proxy, product }: Stage, target: "proxy" | "product"): Promise<number> {
  const { port, pids } = target === "proxy" ? proxy : product;
  const request = requestBytes({
    authority: `127.0.0.1:${port}`,
    apiKey: product.apiKey,
    kind: "plain",
  });
  const { each, failures } = await timedLoad(
    () => runLoad({ port, callers: CALLERS, seconds: 1, requests: [request] }),
    { target: pids() },
  );
  if (failures > 0) throw new Error(`${failures} requests failed`);
  return each.target;
}

async function printChat(stage: Stage, title: string): Promise<void> {
  for (let round = 0; round < 3; round++) await chat(stage, "product");
  const rounds: { own: number; proxy: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ proxy: await chat(stage, "proxy"), own: await chat(stage, "product") });
  const own = medianOf(rounds.map((each) => each.own)).toFixed(1);
  const ratio = medianOf(rounds.map((each) => each.own / each.proxy)).toFixed(3);
  console.log(`chat, ${title}: ${own} µs of processor time a request, ${ratio} of the proxy's`);
}

async function printRead({ product }: Stage, path: string): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let read = 0; read < READS; read++) {
    const started = performance.now();
    const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, {
      headers: path.startsWith("/v1") ? { authorization: `Bearer ${product.apiKey}` } : {},
    });
    bytes = (await answer.arrayBuffer()).byteLength;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    times.push(performance.now() - started);
  }
  const [middle, most] = [medianOf(times), Math.max(...times)].map((time) => time.toFixed(1));
  console.log(
    `${path.padEnd(16)} ${middle?.padStart(8)} ms, ${most?.padStart(8)} at most, ${(bytes / 1024).toFixed(0).padStart(6)} KiB`,
  );
}

avoidFirstCore();
const stage = await openStage();
try {
  await printChat(stage, "the built-in models");
  const started = performance.now();
  await addModels(stage.databaseUrl);
  const each = (performance.now() - started) / models;
  console.log(`${models} models made and offered, ${each.toFixed(1)} ms each`);
  await pause(RENEWED_MS);
  await printChat(stage, `${models} more models`);
  for (const path of ["/v1/models", "/v1/models/acme-model-0500", ...pages])
    await printRead(stage, path);
} finally {
  await stage.stop();
}

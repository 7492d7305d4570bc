/**
 * Kills the product at each step of a video (submit, poll, copy, settle), as the upstream sees
 * them, while it serves callers of both styles. Then compares tasks, charges and files with what
 * callers received and the upstream recorded.
 */

import { pause } from "@/lib/pause";
import { mp4Of } from "@/testing/media/files";
import { auditFaults, type Installation, makeCaller, waitForNone } from "./installations";
import { type Product, relay, startProduct } from "./product";
import { type RecordingArk, type Step, startRecordingArk, steps } from "./recording-ark";
import { startVideoCallers } from "./video-callers";
import { checkVideos } from "./video-verdict";

const CALLERS = 48;
/** The smallest video that the product accepts. */
const tiny = mp4Of(100_000);

/** Resolves up to 8 ms after the step was reached, so that kills also hit what follows it. */
async function reached(upstream: RecordingArk, step: Step): Promise<void> {
  await Promise.race([new Promise<void>((resolve) => upstream.once(step, resolve)), pause(20_000)]);
  await pause(Math.random() * 8);
}

/** When servers have separate folders, only the one that copied a file has it. */
const sizeAt = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;

/** Runs `count` rounds of kills. Returns the faults. */
export async function soakVideo(installation: Installation, count: number): Promise<string[]> {
  const { title, environments, databaseUrl } = installation;
  const upstream = await startRecordingArk(tiny);
  const first = environments[0] ?? {};
  const products: Product[] = [await startProduct(first)];
  const apiKey = await makeCaller(first, "1000000");
  const place = [
    "--base-url",
    `http://127.0.0.1:${upstream.port}/api/v3`,
    "--models",
    "Super-Relay1.5=recorded-video",
  ];
  await relay(
    first,
    "channel",
    "create",
    "--name",
    "recorded",
    "--protocol",
    "ark",
    ...place,
    "--rps",
    "0",
    "--rpm",
    "0",
  );
  for (const environment of environments.slice(1)) products.push(await startProduct(environment));
  const urls = products.map((product) => product.url);
  const callers = startVideoCallers(urls, apiKey, CALLERS);
  for (let round = 0; round < count; round++) {
    await reached(upstream, steps[round % steps.length] ?? "submit");
    const index = round % products.length;
    await products[index]?.kill(installation.killsPostgres && round % 2 === 1);
    products[index] = await startProduct(environments[index] ?? {});
    if ((round + 1) % 10 === 0)
      console.log(
        `${title}: ${round + 1} kills, ${callers.ended.size} orders ended for their callers`,
      );
  }
  await callers.stop();
  await waitForNone(
    async () => (await checkVideos(databaseUrl, callers, upstream.tasks)).openTasks,
  );
  const verdict = await checkVideos(databaseUrl, callers, upstream.tasks);
  const faults = [...verdict.faults, ...(await auditFaults(first))];
  if (verdict.openTasks !== 0) faults.push(`${verdict.openTasks} tasks never ended`);
  for (const { url } of [...callers.ended.values()].filter((end) => end.url).slice(-20)) {
    const sizes = await Promise.all(
      urls.map((server) =>
        sizeAt(`${server}${new URL(String(url)).pathname}${new URL(String(url)).search}`),
      ),
    );
    if (!sizes.includes(tiny.length))
      faults.push(`${url} has ${sizes.join(" and ")} bytes instead of ${tiny.length}`);
  }
  for (const product of products) {
    const code = await product.stop();
    if (code !== 0) faults.push(`a server ended with ${code} on SIGTERM`);
  }
  await upstream.close();
  const told = `${verdict.tasks} tasks, ${verdict.charged} charged, ${verdict.orphans} given up as orphans`;
  console.log(
    `${title}: ${count} kills, ${callers.ended.size} orders ended for their callers, ${told}, ${faults.length} faults`,
  );
  for (const fault of faults.slice(0, 20)) console.error(fault);
  return faults;
}

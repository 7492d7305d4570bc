/**
 * `npm run bench:tasks -- [tasks] [seconds]`: keeps that many video tasks open. The upstream never
 * answers the polls of 5 % of them. Prints how long tasks go without a poll and how much memory the
 * server uses.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCaller } from "@/e2e/soak/installations";
import { freePort, relay, startProduct } from "@/e2e/soak/product";
import { pause } from "@/lib/pause";
import { defaultVideoTimes } from "@/lib/relay/video/video-deps";
import { startPolledUpstream } from "./polled-upstream";

const [tasks = 2000, seconds = 90] = process.argv.slice(2).map(Number);
const SUBMITTERS = 32;
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Resident memory of a process, in MiB. */
function memoryOf(pid: number): number {
  return (
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
  );
}

async function submitAll(url: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  let left = tasks;
  const one = async () => {
    while (left-- > 0) {
      const body = JSON.stringify({
        model: "Super-RelayFast",
        content: [{ type: "text", text: `task ${left} --rs 480p --dur 3` }],
      });
      const answer = await fetch(`${url}/v1/contents/generations/tasks`, {
        method: "POST",
        headers,
        body,
      });
      if (!answer.ok) throw new Error(`a task was refused: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: SUBMITTERS }, one));
}

const folder = mkdtempSync(join(tmpdir(), "relay-bench-"));
const environment = {
  RELAY_DATA_DIR: folder,
  RELAY_PROCESSES: "1",
  PORT: String(await freePort()),
  RELAY_SANDBOX: "off",
  NODE_ENV: "production",
  DATABASE_URL: "",
};
const upstream = await startPolledUpstream(20);
const product = await startProduct(environment);
const apiKey = await makeCaller(environment, "10000000");
const place = [
  "--base-url",
  `http://127.0.0.1:${upstream.port}/api/v3`,
  "--models",
  "Super-RelayFast=polled",
];
await relay(
  environment,
  "channel",
  "create",
  "--name",
  "polled",
  "--protocol",
  "ark",
  ...place,
  "--rps",
  "0",
  "--rpm",
  "0",
);
const submitStarted = performance.now();
await submitAll(product.url, apiKey);
console.log(
  `${tasks} tasks submitted in ${((performance.now() - submitStarted) / 1000).toFixed(1)} s, ${upstream.hanging.size} of them hang`,
);

await pause(15_000);
const memory: number[] = [];
const from = performance.now();
const started = memoryOf(product.pid);
while (performance.now() - from < seconds * 1000) {
  await pause(1000);
  memory.push(memoryOf(product.pid));
}
const until = performance.now();
const gaps: number[] = [];
for (const [id, times] of upstream.asked) {
  if (upstream.hanging.has(id)) continue;
  const seen = [...times.filter((time) => time < until), until];
  for (let index = 1; index < seen.length; index++)
    if ((seen[index] ?? 0) > from) gaps.push((seen[index] ?? 0) - (seen[index - 1] ?? 0));
}
gaps.sort((a, b) => a - b);
const times = defaultVideoTimes.pollSeconds;
console.log(
  `time between two polls of a task that answers, over ${seconds} s (the interval is ${times} s):`,
);
for (const share of [0.5, 0.99, 0.999])
  console.log(`  p${share * 100}: ${(percentile(gaps, share) / 1000).toFixed(2)} s`);
console.log(
  `memory: ${started.toFixed(0)} MiB at first, ${Math.max(...memory).toFixed(0)} at most, ${memory.at(-1)?.toFixed(0)} at last`,
);
upstream.endAll();
console.log(`the server ended with ${await product.stop()}`);
await upstream.close();
rmSync(folder, { recursive: true, force: true });
process.exit(percentile(gaps, 0.99) <= 2000 * defaultVideoTimes.pollSeconds ? 0 : 1);

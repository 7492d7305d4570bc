/**
 * `npm run bench:tasks -- [tasks] [seconds]`: keeps that many video tasks open. The upstream never
 * answers the polls of 5 % of them. Prints how long tasks go without a poll and how much memory the
 * server uses.
 */

import { defaultVideoTimes } from "@/lib/relay/video/video-deps";
import { pause } from "@/lib/timing/pause";
import { makeAccount, makeChannel, makeKey } from "@/testing/stage/command-line";
import { residentBytes } from "@/testing/stage/processes";
import { openStage } from "@/testing/stage/stage";
import { failed, startVideoUpstream } from "@/testing/upstream/video-upstream";

const [tasks = 2000, seconds = 90] = process.argv.slice(2).map(Number);
const SUBMITTERS = 32;
/** The polls of one in so many tasks are never answered. */
const HANGS_EVERY = 20;
const EMAIL = "bench@example.com";
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

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

/** By task: the time of its creation and of each poll, by `performance.now()`. */
const asked = new Map<string, number[]>();
/** Whether from now on every task that is answered has failed. */
let isOver = false;
const upstream = await startVideoUpstream("polled");
const hangs = (id: string) => Number(/\d+$/.exec(id)?.[0]) % HANGS_EVERY === 0;
upstream.script.state = ({ id }) => {
  const times = asked.get(id) ?? [];
  asked.set(id, times);
  times.push(performance.now());
  if (isOver) return failed("InternalServiceError");
  return hangs(id) ? "hang" : { status: "running" };
};
const stage = await openStage({
  settings: { RELAY_SANDBOX: "off", RELAY_WELCOME_POINTS: "0" },
  servers: { product: {} },
});
const [product] = stage.servers;
if (product === undefined) throw new Error("there is no server");
await product.start();
await makeAccount(stage.relay, EMAIL, 10_000_000);
const { secret } = await makeKey(stage.relay, EMAIL);
const { baseUrl } = upstream.channel;
const models = "Super-RelayFast=polled";
await makeChannel(stage.relay, { name: "polled", protocol: "ark", baseUrl, models });
const submitStarted = performance.now();
await submitAll(product.url, secret);
console.log(
  `${tasks} tasks submitted in ${((performance.now() - submitStarted) / 1000).toFixed(1)} s, every ${HANGS_EVERY}th hangs`,
);

await pause(15_000);
const memory: number[] = [];
const from = performance.now();
const started = residentBytes(product.pid) / 1024 ** 2;
while (performance.now() - from < seconds * 1000) {
  await pause(1000);
  memory.push(residentBytes(product.pid) / 1024 ** 2);
}
const until = performance.now();
const gaps: number[] = [];
for (const [id, times] of asked) {
  if (hangs(id)) continue;
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
isOver = true;
console.log(`the server ended with ${await product.stop()}`);
await upstream.close();
await stage.close();
process.exit(percentile(gaps, 0.99) <= 2000 * defaultVideoTimes.pollSeconds ? 0 : 1);

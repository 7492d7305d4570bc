/**
 * The relay's server as a process that measures the longest time its event loop was blocked. Used
 * by worst-bodies.whole.test.ts.
 */
import type { Channel } from "@/lib/upstream/provider";
import { createWebServer } from "@/server/web-server";
import { openTestRelay, type TestRelay } from "../relay/test-relay";
import { listen } from "../stage/listen";

const { seeded, channels } = JSON.parse(process.argv[2] ?? "{}") as {
  seeded: Omit<TestRelay["seeded"], "priceIds"> & { priceIds: [string, string][] };
  channels: Channel[];
};
const beside = {
  seeded: { ...seeded, priceIds: new Map(seeded.priceIds) },
} as unknown as TestRelay;
const relay = await openTestRelay({ channels, beside });
const web = createWebServer({
  find: relay.find,
  answerPage: async (request, response) => {
    for await (const _ of request);
    response.end("page");
  },
  report: (error) => console.error(error),
});

const TICK_MS = 2;
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
let longestMs = 0;
let [lastAt, lastProcessorMs] = [performance.now(), processorMs()];
setInterval(() => {
  const [now, spent] = [performance.now(), processorMs()];
  // If other processes had the processor meanwhile, only our own processor time counts.
  longestMs = Math.max(longestMs, Math.min(now - lastAt, spent - lastProcessorMs));
  [lastAt, lastProcessorMs] = [now, spent];
}, TICK_MS);

process.on("message", (asked) => {
  if (asked === "memory") globalThis.gc?.();
  process.send?.({ longestMs, memory: process.memoryUsage() });
  longestMs = 0;
});
process.on("disconnect", () => process.exit(0));
const { port } = await listen(web.server);
process.send?.({ port });

/** Proves that the measurements can fail: a bad server is detected and reported. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { residentBytes } from "../../testing/stage/processes";
import { faultOf, Tally } from "./attack";
import { evaluate, type Measured } from "./marks";
import { askProbe } from "./watch";

const marks = { blockMsMax: 50, victimP99MsMax: 250, heldGrowthMax: 0.1, memoryGrowthMax: 0.3 };
const heapOf = (heapUsed: number) => ({
  heapUsed: heapUsed * 1024 * 1024,
  heapTotal: 0,
  external: 10 * 1024 * 1024,
  arrayBuffers: 0,
});
const held: Measured = {
  name: "a name",
  outcome: new Tally().outcome(),
  seconds: 1,
  diedAt: null,
  longestBlockMs: 60,
  longestOwnBlockMs: 49,
  longestPauseMs: 1,
  longestPingMs: 1,
  blocks: [],
  profile: null,
  victim: {
    requests: 10,
    failures: 0,
    examples: [],
    p50Ms: 1,
    p99Ms: 249,
    maxMs: 900,
    slowest: ["chat 249 ms"],
  },
  memory: { beforeBytes: 100, heapBefore: null, peakBytes: 900, afterBytes: 130, heap: null },
  machine: { idle: 1, stolen: 0 },
};

test("a run within all limits reports no violation", () => {
  expect(evaluate(held, marks).misses).toEqual([]);
});

test.each<[string, Partial<Measured>, RegExp]>([
  ["a death", { diedAt: 5 }, /died/],
  ["a block", { longestOwnBlockMs: 51 }, /blocked for 51 ms/],
  ["a slow answer to another", { victim: { ...held.victim, p99Ms: 251 } }, /p99 was 251 ms/],
  [
    "a refusal to another",
    { victim: { ...held.victim, failures: 1, examples: ["chat: 503"] } },
    /1 of 10 .* chat: 503/,
  ],
  ["memory that stays", { memory: { ...held.memory, afterBytes: 131 } }, /memory stayed/],
  [
    "objects that stay",
    { memory: { ...held.memory, heapBefore: heapOf(90), heap: heapOf(101) } },
    /111 MiB stayed in use, 100 before/,
  ],
  [
    "a fault",
    { outcome: { ...held.outcome, faultCount: 1, faults: ["GET / → 500"] } },
    /GET \/ → 500/,
  ],
])("%s violates a limit", (_, changed, wanted) => {
  expect(evaluate({ ...held, ...changed }, marks).misses).toEqual([expect.stringMatching(wanted)]);
});

test("a block is attributed to the step that ran at that time", () => {
  const steps = [
    { label: "before", from: 0, to: 100 },
    { label: "the cause", from: 150, to: 900 },
  ];
  const blocks = [{ at: 600, ms: 300, ownMs: 290 }];
  const { misses } = evaluate(
    { ...held, blocks, longestOwnBlockMs: 290, outcome: { ...held.outcome, steps } },
    marks,
  );
  expect(misses).toEqual([expect.stringMatching(/290 ms \(300 with waiting\) during the cause$/)]);
});

test.each<[number, Record<string, string>, boolean]>([
  [404, {}, false],
  [503, { "retry-after": "1" }, false],
  [503, { "x-should-retry": "true" }, false],
  [503, {}, true],
  [500, { "x-should-retry": "false" }, true],
  [502, { "retry-after": "1" }, true],
  [0, {}, true],
])("%i with %j is a fault: %s", (status, headers, isFault) => {
  expect(faultOf({ status, headers: new Map(Object.entries(headers)), body: "" }) !== null).toBe(
    isFault,
  );
});

test("the probe measures how long the loop was blocked, and how much of that was the program's own work", async () => {
  const folder = await mkdtemp(join(tmpdir(), "relay-probe-"));
  const program = join(folder, "blocking.mjs");
  writeFileSync(
    program,
    `process.stdin.once("data", () => {
      for (const end = Date.now() + 400; Date.now() < end; );
      console.log("blocked");
    });`,
  );
  const words = ["--import", join(import.meta.dirname, "loop-probe.mjs"), program];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  try {
    await askProbe(child, "read");
    child.stdin?.write("\n");
    if (child.stdout) await once(child.stdout, "data");
    const figures = await askProbe(child, "read");
    expect(figures?.longestMs).toBeGreaterThan(390);
    expect(figures?.longestOwnMs).toBeGreaterThan(10);
    expect(figures?.longestOwnMs).toBeLessThanOrEqual(figures?.longestMs ?? 0);
    expect(figures?.blocks.length).toBeGreaterThan(0);
    expect((await askProbe(child, "read"))?.longestOwnMs).toBeLessThan(390);
    expect(residentBytes(child.pid)).toBeGreaterThan(1_000_000);
  } finally {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
  expect(await askProbe(child, "read")).toBeNull();
});

/** The supervisor over real processes of a small program. */
import cluster from "node:cluster";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { PROTOCOL } from "@/lib/cluster/messages";
import { newFolder } from "@/testing/unit/new-folder";
import { type Ended, Member } from "./member";
import { Supervisor, type Timings } from "./supervisor";

const folder = newFolder("supervisor");
const program = join(folder, "worker.mjs");
/** Does what its environment says: crash, hang, or serve until it is told to stop. */
const source = `
const tell = (message) => process.send(message);
const beat = setInterval(() => tell({ kind: "alive" }), 50);
process.on("message", ({ kind }) => {
  if (kind === "stop" || kind === "retire") process.exit(0);
});
if (process.env.WORKER_DOES === "crash-at-start") process.exit(3);
tell({ kind: "serving", protocol: Number(process.env.WORKER_PROTOCOL) });
if (process.env.WORKER_DOES === "crash") setTimeout(() => process.exit(3), 20);
if (process.env.WORKER_DOES === "hang") setTimeout(() => { for (;;); }, 20);
`;

let supervisor: Supervisor | undefined;
let opened: { at: number; member: Member }[] = [];
let gone: Ended[] = [];
const lines: string[] = [];
const note = (_: object, message: string) => lines.push(message);

function supervise(
  workers: number,
  does: (number: number) => string,
  timings: Partial<Timings> = {},
  protocol: (number: number) => number = () => PROTOCOL,
): Supervisor {
  [opened, gone] = [[], []];
  supervisor = new Supervisor({
    workers,
    log: { error: note, info: note },
    timings: { backoffMs: 40, backoffMsMax: 160, provenMs: 2000, watchMs: 50, ...timings },
    onGone: (_, ended) => gone.push(ended),
    open: () => {
      const number = opened.length + 1;
      const environment = { WORKER_DOES: does(number), WORKER_PROTOCOL: `${protocol(number)}` };
      const member = new Member({ number, nodeId: "node", environment, onMessage: () => {} });
      opened.push({ at: performance.now(), member });
      return member;
    },
  });
  return supervisor;
}

beforeAll(() => {
  writeFileSync(program, source);
  cluster.setupPrimary({ exec: program, args: [], execArgv: [], silent: true });
});
afterEach(() => supervisor?.stop(Promise.resolve()));

test("a worker that crashes again and again is started again more and more slowly", async () => {
  const own = supervise(2, (number) => (number === 1 ? "serve" : "crash"));
  expect(await own.start()).toBe(true);
  await expect.poll(() => opened.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(7);
  const starts = opened.slice(1).map(({ at }) => at);
  const waits = starts.slice(1).map((at, place) => at - (starts[place] ?? 0));
  // Each wait is the doubled one and the life of a process, up to the maximum.
  expect(waits.slice(0, 4).map((wait, place) => wait >= 40 * 2 ** Math.min(place, 2))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(own.serving.some(({ number }) => number === 1)).toBe(true);
  expect(own.replaced).toBeGreaterThanOrEqual(5);
  expect(gone.every(({ code }) => code === 3)).toBe(true);
}, 30_000);

test("when the first worker cannot start, nothing else is tried", async () => {
  const own = supervise(3, () => "crash-at-start");
  expect(await own.start()).toBe(false);
  expect(opened).toHaveLength(1);
});

test("a worker that hangs is killed and replaced", async () => {
  const own = supervise(1, (number) => (number === 1 ? "hang" : "serve"), { silentMs: 2500 });
  expect(await own.start()).toBe(true);
  await expect.poll(() => opened.length, { timeout: 15_000 }).toBe(2);
  expect(gone).toEqual([{ code: null, signal: "SIGKILL" }]);
  await expect
    .poll(() => own.serving.map(({ number }) => number), { timeout: 10_000 })
    .toEqual([2]);
}, 30_000);

test("a rolling restart replaces all, and stops where a new worker cannot start or is of another build", async () => {
  let mode = "serve";
  let protocol = PROTOCOL;
  const own = supervise(
    2,
    () => mode,
    {},
    () => protocol,
  );
  await own.start();
  const serving = () => own.serving.map(({ number }) => number).sort();
  expect(serving()).toEqual([1, 2]);
  expect(await own.roll()).toBe(true);
  expect(serving()).toEqual([3, 4]);
  mode = "crash-at-start";
  expect(await own.roll()).toBe(false);
  expect(serving()).toEqual([3, 4]);
  [mode, protocol] = ["serve", PROTOCOL + 1];
  expect(await own.roll()).toBe(false);
  expect(serving()).toEqual([3, 4]);
  await expect.poll(() => own.members.size, { timeout: 5000 }).toBe(2);
  expect(lines.filter((line) => line.includes("cannot start"))).toHaveLength(2);
}, 30_000);

test("a worker that does not stop is killed in the end", async () => {
  const own = supervise(1, () => "hang", { silentMs: 60_000, stopMs: 300 });
  await own.start();
  await new Promise((resolve) => setTimeout(resolve, 60));
  await own.stop(new Promise(() => {}));
  expect(gone).toEqual([{ code: null, signal: "SIGKILL" }]);
  expect(own.members.size).toBe(0);
}, 30_000);

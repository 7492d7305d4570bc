/**
 * What each of several workers may do, found by a process that has a worker's environment and
 * reaches its bounds. docs/limits.md has the figures ("Several workers").
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { WORKER_VARIABLE, type WorkerIdentity } from "@/lib/process/worker-identity";
import { bundled } from "@/testing/stage/bundle";

/** The bounds of the whole machine. */
const WHOLE = { ofKey: 1024, ofAccount: 2048, inAll: 4096, connections: 400 };

interface Found {
  readonly ofKey: number;
  readonly ofAccount: number;
  readonly inAll: number;
  readonly bodyMebibytes: number;
  readonly bodyMebibytesOfAccount: number;
  readonly connections: number;
  /** Of pools of 1, 2, 3, 8 and 20 connections. */
  readonly pools: readonly number[];
  readonly ofOne: number;
}

const program = await bundled("testing/cluster/parts-child.ts");

/** The bounds of one of so many workers; null is a process that serves alone. */
async function boundsOf(workers: number | null): Promise<Found> {
  const place: WorkerIdentity = { worker: 1, workers: workers ?? 1, nodeId: "node", sandbox: null };
  const given = workers === null ? {} : { [WORKER_VARIABLE]: JSON.stringify(place) };
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, ...given },
  });
  return JSON.parse(stdout);
}

const alone: Found = {
  ofKey: 512,
  ofAccount: 1024,
  inAll: 4096,
  bodyMebibytes: 256,
  bodyMebibytesOfAccount: 96,
  connections: 200,
  pools: [1, 2, 3, 8, 20],
  ofOne: 1,
};

test.each([
  ["a process that serves alone", null, alone],
  ["the only worker", 1, alone],
  // A key, an account and an address have as much at each of two as alone.
  ["one of two", 2, { ...alone, inAll: 2048, bodyMebibytes: 128, pools: [1, 2, 2, 4, 10] }],
  [
    "one of three",
    3,
    {
      ...alone,
      ofKey: 341,
      ofAccount: 682,
      inAll: 1365,
      bodyMebibytes: 96,
      connections: 133,
      pools: [1, 2, 2, 2, 6],
    },
  ],
  [
    "one of eight",
    8,
    {
      ...alone,
      ofKey: 128,
      ofAccount: 256,
      inAll: 512,
      bodyMebibytes: 96,
      connections: 50,
      pools: [1, 2, 2, 2, 2],
    },
  ],
])("the bounds of %s", async (_, workers, expected) => {
  const found = await boundsOf(workers);
  expect(found).toEqual(expected);
  const count = workers ?? 1;
  for (const name of ["ofKey", "ofAccount", "inAll", "connections"] as const) {
    expect(found[name] * count).toBeLessThanOrEqual(WHOLE[name]);
    // Twice its part of what a single process allows, but never more than that.
    if (name !== "inAll")
      expect(found[name]).toBe(Math.min(alone[name], Math.floor((2 * alone[name]) / count)));
  }
});

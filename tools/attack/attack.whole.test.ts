/**
 * A short form of `npm run attack`: a few seconds of each kind of attack against the built product,
 * as another account experiences them.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildProduct } from "@/testing/product/product";
import type { Evaluation } from "./marks";

const root = join(import.meta.dirname, "../..");

/** The others take longer than any test run allows. */
const chosen = [
  ...["raw-http", "slow-bodies", "flood-unknown-keys", "fuzz-api", "fuzz-pages", "fuzz-operator"],
  ...["worst-bodies", "anonymous-bodies", "pipeline-mixed", "retries-one-key", "flood-writes"],
  ...[
    "flood-count-tokens",
    "flood-refused",
    "flood-home",
    "flood-mcp",
    "sipped-streams",
    "rebinding",
    ...["flood-referrals", "flood-top-ups", "flood-forged-payments", "flood-archived"],
  ],
];

let results: readonly Evaluation[] = [];

beforeAll(async () => {
  buildProduct();
  const words = ["server/run-bundled.mjs", "tools/attack/main.ts", "--brief", "--json", ...chosen];
  const run = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  run.stdout.on("data", (part) => {
    text += part;
  });
  await new Promise((resolve) => run.once("close", resolve));
  results = JSON.parse(text) as Evaluation[];
}, 900_000);

test.each(chosen)("%s: no crash, no block, no fault, and the other account is served", (name) => {
  const result = results.find((each) => each.name === name);
  expect(result?.outcome.sent).toBeGreaterThan(0);
  expect(result?.victim.requests).toBeGreaterThan(0);
  expect(result?.misses).toEqual([]);
});

test("the ledger's audit is clean after all attacks", () => {
  expect(results.length).toBeGreaterThan(chosen.length);
  expect(results.find(({ name }) => name === "ledger audit")?.misses).toBeUndefined();
});

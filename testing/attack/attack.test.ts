/**
 * A short form of `npm run attack`: a few seconds of each kind of attack against the built product,
 * as another account experiences them.
 */
import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import type { Evaluation } from "./marks";
import { bodiesWithoutEndpoint } from "./pages-api";
import { AnswerReader } from "./wire";

const root = join(import.meta.dirname, "../..");

/** One attack of each kind; what bodies and pipelines do alone is in `server` too. */
const usual = ["raw-http", "slow-bodies", "flood-unknown-keys", "fuzz-api", "fuzz-pages"];
/** The others take longer than any test run allows. */
const chosen = extent(usual, [
  ...usual,
  ...["worst-bodies", "anonymous-bodies", "pipeline-mixed", "retries-one-key"],
  ...["flood-writes", "fuzz-operator"],
]);

let results: readonly Evaluation[] = [];

beforeAll(async () => {
  execFileSync(process.execPath, ["server/build.mjs"], { cwd: root, stdio: "pipe" });
  const words = [
    "server/run-bundled.mjs",
    "testing/attack/main.ts",
    "--brief",
    "--json",
    ...chosen,
  ];
  const run = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  run.stdout.on("data", (part) => {
    text += part;
  });
  await new Promise((resolve) => run.once("close", resolve));
  results = JSON.parse(text) as Evaluation[];
}, 300_000);

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

test("every body of the fuzz belongs to a route", () => {
  expect(bodiesWithoutEndpoint()).toEqual([]);
});

test("answers are read completely, however they are split", () => {
  const bytes = Buffer.from(
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nx-a: b\r\n\r\n" +
      "HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\nX-A: b: c\r\n\r\ngoneHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\nto the end",
  );
  for (const size of [1, 2, 7, 30, bytes.length]) {
    const seen: string[] = [];
    const reader = new AnswerReader(({ status, body }) => seen.push(`${status} ${body}`));
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
    reader.end();
    expect(seen).toEqual(["200 abcde", "404 gone", "204 ", "200 to the end"]);
  }
});

/**
 * `npm run bench:pages -- FOLDER [a second]`: the operators' pages as the product serves them over a
 * history by `npm run bench:history`. First each page by itself, then the overview so many times a
 * second (default: 20), which is what many open dashboards ask.
 */
import { join } from "node:path";
import { z } from "zod";
import { makeAccount } from "@/testing/stage/command-line";
import { medianOf, resultOf } from "./load";
import { openStage, type Stage } from "./stage";

const [, , folder, rate = "20"] = process.argv;
const ROUNDS = 5;
const LOAD_SECONDS = 10;
/** An operator may have 20, each with 300 requests a minute; one is spare. */
const KEYS = 12;
const email = `bench-operator-${process.pid}@example.com`;

const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;

const pages: readonly [name: string, path: string][] = [
  ["overview", "/v1/admin/overview"],
  ["money, 365 days", "/v1/admin/money?days=365"],
  ["prices", "/v1/admin/prices"],
  ["trends of a month", "/v1/admin/trends?range=month"],
  ["accounts", "/v1/admin/accounts"],
  ["requests of a month", `/v1/admin/requests?from=${daysAgo(30)}&to=${daysAgo(0)}`],
];

const made = z.object({ secret: z.string() });

async function createKeys({ product: { relay } }: Stage): Promise<string[]> {
  await makeAccount(relay, email, 0, "--operator");
  const scopes = "accounts:read,usage:read,money:read,prices:read";
  const words = ["operator-key", "create", "--email", email, "--scopes", scopes, "--name"];
  const keys: string[] = [];
  for (let at = 0; at < KEYS; at++)
    keys.push(made.parse(await relay(...words, `bench ${at}`)).secret);
  return keys;
}

/** The time of one answer in milliseconds. */
async function ask(url: string, key: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - startedAt;
}

/** So many requests a second, whether or not the earlier ones are answered. */
async function load(url: string, keys: readonly string[]): Promise<void> {
  const times: number[] = [];
  let failures = 0;
  const asked: Promise<unknown>[] = [];
  for (let at = 0; at < Number(rate) * LOAD_SECONDS; at++) {
    const next = ask(url, keys[at % keys.length] ?? "").then(
      (time) => times.push(time),
      () => failures++,
    );
    asked.push(next);
    await new Promise((resolve) => setTimeout(resolve, 1000 / Number(rate)));
  }
  await Promise.all(asked);
  const { p50Ms, p99Ms } = resultOf(times, failures, LOAD_SECONDS);
  console.log(
    `overview, ${rate} a second: p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${failures} failed`,
  );
}

if (folder === undefined)
  throw new Error("name the folder: npm run bench:pages -- FOLDER [a second]");
const stage = await openStage({ databaseFolder: join(folder, "postgres") });
try {
  const keys = await createKeys(stage);
  const origin = `http://127.0.0.1:${stage.product.port}`;
  console.log("page                            first    median");
  for (const [name, path] of pages) {
    const times: number[] = [];
    for (let round = 0; round <= ROUNDS; round++)
      times.push(await ask(origin + path, keys[round % KEYS] ?? ""));
    const [first = 0, ...later] = times;
    console.log(
      `${name.padEnd(28)}${first.toFixed(0).padStart(6)} ms ${medianOf(later).toFixed(0).padStart(6)} ms`,
    );
  }
  await load(`${origin}${pages[0]?.[1]}`, keys);
} finally {
  await stage.stop();
}

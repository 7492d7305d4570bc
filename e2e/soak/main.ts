/**
 * Kills the product without warning, again and again, while callers are served, and then holds the ledger against what
 * they received. `npm run soak [rounds]`; every other round kills PostgreSQL too, and a second half runs two servers on one
 * database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { startBookedUpstream } from "./booked-upstream";
import { startCallers } from "./callers";
import { type Environment, freePort, type Product, relay, startProduct } from "./product";
import { judge } from "./verdict";

const CALLERS = 24;
const rounds = Number(process.argv[2] ?? 100);
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function furnish(environment: Environment, upstreamPort: number): Promise<string> {
  await relay(environment, "account", "create", "--email", "soak@example.com", "--password", "a-long-soak-password", "--points", "1000000");
  await relay(
    environment,
    ...["channel", "create", "--name", "booked", "--protocol", "openai", "--base-url", `http://127.0.0.1:${upstreamPort}/v1`],
    ...["--models", "RelayV1=booked", "--rps", "0", "--rpm", "0"],
  );
  const made = await relay<{ secret: string }>(
    environment,
    "key",
    "create",
    "--email",
    "soak@example.com",
    "--name",
    "soak",
    "--rpm",
    "1000000",
  );
  return made.secret;
}

async function waitUntilNothingIsOpen(check: () => Promise<number>): Promise<void> {
  for (const started = Date.now(); (await check()) > 0; ) {
    if (Date.now() - started > 90_000) return;
    await pause(500);
  }
}

/** Runs `count` rounds of kills against as many servers as `environments`, all on `databaseUrl`; answers what was wrong. */
async function soak(
  title: string,
  environments: Environment[],
  databaseUrl: string,
  count: number,
  killsPostgres: boolean,
): Promise<string[]> {
  const upstream = await startBookedUpstream(120);
  const first = environments[0] ?? {};
  const products: Product[] = [await startProduct(first)];
  const apiKey = await furnish(first, upstream.port);
  for (const environment of environments.slice(1)) products.push(await startProduct(environment));
  const callers = startCallers(
    products.map((product) => product.url),
    apiKey,
    CALLERS,
  );
  for (let round = 0; round < count; round++) {
    await pause(200 + Math.random() * 500);
    const index = round % products.length;
    await products[index]?.kill(killsPostgres && round % 2 === 1);
    products[index] = await startProduct(environments[index] ?? {});
    if ((round + 1) % 10 === 0)
      console.log(`${title}: ${round + 1} kills, ${callers.completed.size} answers, ${callers.interrupted()} interrupted`);
  }
  await callers.stop();
  await waitUntilNothingIsOpen(async () => (await judge(databaseUrl, callers.completed, upstream.book)).openOperations);
  const verdict = await judge(databaseUrl, callers.completed, upstream.book);
  const audit = await relay<{ ok: boolean; checks: { name: string; ok: boolean; detail: string }[] }>(first, "ledger", "audit");
  const faults = [...verdict.faults, ...audit.checks.filter((check) => !check.ok).map((check) => `audit: ${check.name}: ${check.detail}`)];
  if (verdict.openOperations !== 0) faults.push(`${verdict.openOperations} operations were left open`);
  for (const product of products) {
    const code = await product.stop();
    if (code !== 0) faults.push(`a server ended with ${code} on SIGTERM`);
  }
  await upstream.close();
  console.log(
    `${title}: ${count} kills, ${verdict.completed} answers, ${verdict.charged} charges, audit ${audit.ok ? "clean" : "NOT clean"}`,
  );
  return faults;
}

async function embeddedDatabaseUrl(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  return startEmbeddedPostgres(folder);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "relay-soak-"));
  const base = { RELAY_SANDBOX: "off", RELAY_WELCOME_POINTS: "0", NODE_ENV: "production", DATABASE_URL: "" };
  const faults: string[] = [];
  const alone = join(folder, "alone");
  const environment = { ...base, RELAY_DATA_DIR: alone, PORT: String(await freePort()) };
  const starter = await startProduct(environment);
  const own = await embeddedDatabaseUrl(alone);
  await starter.stop();
  faults.push(...(await soak("one server with its own PostgreSQL", [environment], own.url, Math.ceil(rounds / 2), true)));
  await own.stop();
  const postgres = await startEmbeddedPostgres(join(folder, "outside"));
  const pair = await Promise.all(
    ["a", "b"].map(async (name) => ({
      ...base,
      RELAY_DATA_DIR: join(folder, name),
      DATABASE_URL: postgres.url,
      PORT: String(await freePort()),
    })),
  );
  faults.push(...(await soak("two servers on one database", pair, postgres.url, Math.floor(rounds / 2), false)));
  await postgres.stop();
  for (const fault of faults.slice(0, 20)) console.error(fault);
  console.log(faults.length === 0 ? "1 passed, 0 failed" : `0 passed, 1 failed: ${faults.length} faults`);
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  process.exit(faults.length === 0 ? 0 : 1);
}

await main();

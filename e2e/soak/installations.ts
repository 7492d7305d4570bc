/**
 * The two installations of a soak test: one server with its own PostgreSQL, and two servers on one
 * database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@/lib/db/embedded";
import { pause } from "@/lib/pause";
import { type Environment, freePort, type Product, relay, startProduct } from "./product";
import { startRecordingUpstream } from "./recording-upstream";

export interface Installation {
  readonly title: string;
  /** One for each server. */
  readonly environments: readonly Environment[];
  readonly databaseUrl: string;
  /** In every other round, PostgreSQL is killed with the server. */
  readonly killsPostgres: boolean;
}

/**
 * Runs `soak` on both installations and returns all faults. The data is kept when there are any.
 */
export async function onBothInstallations(
  soak: (installation: Installation) => Promise<string[]>,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "relay-soak-"));
  const base = {
    RELAY_SANDBOX: "off",
    RELAY_WELCOME_POINTS: "0",
    NODE_ENV: "production",
    DATABASE_URL: "",
  };
  const alone = join(folder, "alone");
  const environment = { ...base, RELAY_DATA_DIR: alone, PORT: String(await freePort()) };
  const starter = await startProduct(environment);
  const own = await startEmbeddedPostgres(alone);
  await starter.stop();
  const title = "one server with its own PostgreSQL";
  const faults = await soak({
    title,
    environments: [environment],
    databaseUrl: own.url,
    killsPostgres: true,
  });
  await own.stop();
  const outside = await startEmbeddedPostgres(join(folder, "outside"));
  const pair = await Promise.all(
    ["a", "b"].map(async (name) => ({
      ...base,
      RELAY_DATA_DIR: join(folder, name),
      DATABASE_URL: outside.url,
      DATABASE_OWNER_URL: outside.ownerUrl,
      RELAY_SECRET: "one-secret-for-both-servers-of-the-soak",
      PORT: String(await freePort()),
    })),
  );
  faults.push(
    ...(await soak({
      title: "two servers on one database",
      environments: pair,
      databaseUrl: outside.url,
      killsPostgres: false,
    })),
  );
  await outside.stop();
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.error(`The data of the faulty run is in ${folder}`);
  return faults;
}

/** The faults that `ledger audit` finds. */
export async function auditFaults(environment: Environment): Promise<string[]> {
  const audit = await relay<{
    ok: boolean;
    checks: { name: string; ok: boolean; detail: string }[];
  }>(environment, "ledger", "audit");
  return audit.checks
    .filter((check) => !check.ok)
    .map((check) => `audit: ${check.name}: ${check.detail}`);
}

const email = "soak@example.com";

/** Creates an account with points. Returns a key without limits. */
export async function makeCaller(environment: Environment, points: string): Promise<string> {
  await relay(
    environment,
    "account",
    "create",
    "--email",
    email,
    "--password",
    "a-long-soak-password",
    "--points",
    points,
  );
  return (await makeKey(environment, 1_000_000)).secret;
}

/** Creates another key of that account. */
export async function makeKey(
  environment: Environment,
  rpm: number,
): Promise<{ id: string; secret: string }> {
  const words = ["key", "create", "--email", email, "--name", `soak ${rpm}`, "--rpm", String(rpm)];
  const made = await relay<{ key: { id: string }; secret: string }>(environment, ...words);
  return { id: made.key.id, secret: made.secret };
}

/** Waits, up to 5 minutes, until `count` returns 0. */
export async function waitForNone(count: () => Promise<number>): Promise<void> {
  for (const started = Date.now(); (await count()) > 0 && Date.now() - started < 300_000; ) {
    await pause(500);
  }
}

/**
 * Starts a server for each environment, and an upstream that records its answers. Also creates a
 * key of an account with points.
 */
export async function startServers(environments: readonly Environment[]) {
  const upstream = await startRecordingUpstream(120);
  const first = environments[0] ?? {};
  const products: Product[] = [await startProduct(first)];
  const apiKey = await makeCaller(first, "1000000");
  const place = [
    "--base-url",
    `http://127.0.0.1:${upstream.port}/v1`,
    "--models",
    "RelayV1=recorded",
  ];
  await relay(
    first,
    "channel",
    "create",
    "--name",
    "recorded",
    "--protocol",
    "openai",
    ...place,
    "--rps",
    "0",
    "--rpm",
    "0",
  );
  for (const environment of environments.slice(1)) products.push(await startProduct(environment));
  return { upstream, products, apiKey };
}

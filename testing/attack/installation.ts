/**
 * The target of the attacks: the real product, started with accounts of its own, or one that is
 * already running.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@/e2e/soak/product";
import type { Means } from "./attack";
import { signIn } from "./sign-in";
import type { Target } from "./wire";

const run = promisify(execFile);
const HEAP_MEBIBYTES = 1024;
const START_MS = 120_000;
const STOP_MS = 40_000;
const PASSWORD = "a-long-attack-password";
/**
 * Several sessions, because limits are per session: a fuzz should not end when the first one is
 * limited.
 */
const SESSIONS = { full: 4, brief: 2 };
const COMMAND_TRIES = 3;

/**
 * The victim and the attacker use different network addresses, so that limits on one do not affect
 * the other.
 */
const ATTACKER_ADDRESS = "127.0.0.66";
const VICTIM_ADDRESS = "127.0.0.99";

export interface Victim {
  readonly target: Target;
  readonly origin: string;
  readonly apiKey: string;
  readonly session: string | null;
}

export interface Installation {
  readonly means: Omit<Means, "isBrief">;
  readonly victim: Victim;
  /** The server's process; null when it was not started here. */
  readonly server: ChildProcess | null;
  /** The last lines that the server logged. */
  log(): string;
  /** Runs the product's audit of the ledger; null when the server was not started here. */
  audit(): Promise<{ isClean: boolean; text: string } | null>;
  stop(): Promise<void>;
}

const isOnLinux = process.platform === "linux";

function targetOf(url: string, localAddress: string): Target {
  const { hostname, port, protocol, host } = new URL(url);
  if (protocol !== "http:")
    throw new Error(
      "--url must start with http://: the attack speaks plain HTTP, as the proxy in front does",
    );
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+)$/.test(hostname);
  const target = {
    host: isHere ? "127.0.0.1" : hostname,
    port: Number(port || 80),
    authority: host,
  };
  return isHere && isOnLinux ? { ...target, localAddress } : target;
}

/** An instance that is already running, with the credentials that its operator provided. */
export function foreignInstallation(
  url: string,
  given: { key: string; victimKey?: string | undefined; session?: string | undefined },
): Installation {
  const means = {
    target: targetOf(url, ATTACKER_ADDRESS),
    apiKey: given.key,
    origin: new URL(url).origin,
    sessions: given.session === undefined ? [] : [given.session],
    operatorSession: null,
    email: null,
    password: null,
  };
  const victim = {
    target: targetOf(url, VICTIM_ADDRESS),
    origin: means.origin,
    apiKey: given.victimKey ?? given.key,
    session: given.session ?? null,
  };
  return {
    means,
    victim,
    server: null,
    log: () => "",
    audit: async () => null,
    stop: async () => {},
  };
}

function waitUntilServed(server: ChildProcess, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the product did not start in time:\n${log()}`)),
      START_MS,
    );
    server.stdout?.on("data", () => {
      if (!log().includes("Stop with")) return;
      clearTimeout(timer);
      resolve();
    });
    server.once("exit", (code) => reject(new Error(`the product ended with ${code}:\n${log()}`)));
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  const timer = setTimeout(() => server.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/**
 * The settings of the server under attack, without those of this process that would lead it to
 * other data.
 */
function environmentFor(port: number, folder: string, isProfiled: boolean) {
  const { PUBLIC_URL, DATABASE_URL, RELAY_SECRET, NODE_OPTIONS, ...inherited } = process.env;
  return {
    ...inherited,
    NODE_ENV: "production" as const,
    PORT: String(port),
    HOST: "127.0.0.1",
    RELAY_DATA_DIR: join(folder, "data"),
    RELAY_PROCESSES: "1",
    RELAY_SANDBOX: "on",
    // The same values as in `npm start`.
    MALLOC_ARENA_MAX: "2",
    MALLOC_MMAP_THRESHOLD_: "131072",
    MALLOC_TRIM_THRESHOLD_: "1048576",
    RELAY_ATTACK_PROFILE: isProfiled ? "on" : "off",
  };
}

/** On a busy machine a command's transaction may time out, so it is repeated. */
const patiently =
  (relay: Relay): Relay =>
  async (...words) => {
    for (let tries = 1; ; tries++)
      try {
        return await relay(...words);
      } catch (error) {
        if (tries === COMMAND_TRIES) throw error;
      }
  };

/**
 * Starts the built product on a data folder of its own with a heap of 1 GiB, and creates its
 * accounts. `root`: the project's folder.
 */
export async function startInstallation(
  root: string,
  size: "full" | "brief",
  isProfiled = false,
): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "relay-attack-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = environmentFor(port, folder, isProfiled);
  const flags = [
    `--max-old-space-size=${HEAP_MEBIBYTES}`,
    "--max-semi-space-size=32",
    "--expose-gc",
  ];
  const probe = ["--import", join(root, "testing/attack/loop-probe.mjs")];
  const server = spawn(process.execPath, [...flags, ...probe, join(root, "server/start.mjs")], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let written = "";
  for (const stream of [server.stdout, server.stderr])
    stream?.on("data", (part: Buffer) => {
      written = (written + part.toString()).slice(-20_000);
    });
  const stop = async () => {
    await stopServer(server);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const relay = async <Result>(...words: string[]): Promise<Result> => {
    const options = { cwd: root, env: environment, maxBuffer: 64 * 1024 * 1024 };
    return JSON.parse(
      (await run(process.execPath, ["dist/relay.mjs", ...words, "--json"], options)).stdout,
    ) as Result;
  };
  try {
    await waitUntilServed(server, () => written);
    const people = await makePeople(patiently(relay), url, SESSIONS[size]);
    const audit = async () => {
      const result = await relay<unknown>("ledger", "audit").catch(
        (error: { stdout?: string }) => error.stdout ?? String(error),
      );
      return {
        isClean: typeof result !== "string",
        text: typeof result === "string" ? result : JSON.stringify(result),
      };
    };
    return { ...people, server, log: () => written, audit, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Relay = <Result>(...words: string[]) => Promise<Result>;

async function makePeople(
  relay: Relay,
  url: string,
  sessionCount: number,
): Promise<Pick<Installation, "means" | "victim">> {
  const account = (email: string, ...more: string[]) =>
    relay(
      "account",
      "create",
      "--email",
      email,
      "--password",
      PASSWORD,
      "--points",
      "100000000",
      ...more,
    );
  const key = async (email: string) =>
    (
      await relay<{ secret: string }>(
        "key",
        "create",
        "--email",
        email,
        "--name",
        "attack",
        "--rpm",
        "1000000",
      )
    ).secret;
  const attackers = Array.from(
    { length: sessionCount },
    (_, index) => `attacker-${index}@example.com`,
  );
  const [email = ""] = attackers;
  for (const each of [...attackers, "victim@example.com"]) await account(each);
  await account("operator@example.com", "--operator");
  const [attackerTarget, victimTarget] = [
    targetOf(url, ATTACKER_ADDRESS),
    targetOf(url, VICTIM_ADDRESS),
  ];
  const sessions: string[] = [];
  for (const each of attackers) sessions.push(await signIn(attackerTarget, url, each, PASSWORD));
  return {
    means: {
      target: attackerTarget,
      apiKey: await key(email),
      origin: url,
      sessions,
      operatorSession: await signIn(attackerTarget, url, "operator@example.com", PASSWORD, true),
      email,
      password: PASSWORD,
    },
    victim: {
      target: victimTarget,
      origin: url,
      apiKey: await key("victim@example.com"),
      session: await signIn(victimTarget, url, "victim@example.com", PASSWORD),
    },
  };
}

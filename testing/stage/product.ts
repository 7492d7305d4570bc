/** The built product as a process, run as `npm start` runs it. */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { processTree, programOf, signal } from "./processes";

export const root = join(import.meta.dirname, "../..");
const START_MS = 300_000;
const STOP_MS = 60_000;
/** How much of what it prints is kept. */
const OUTPUT_CHARACTERS = 200_000;

export type Environment = Readonly<Record<string, string>>;

export interface ProductOptions {
  readonly settings: Environment;
  /** The folder of the product, if it is not this one. */
  readonly checkout?: string | undefined;
  /** The whole command, in place of the one that `npm start` runs. */
  readonly command?: readonly string[];
  /** Further flags for Node. */
  readonly flags?: readonly string[];
  /** Words before the command, such as a program that binds it to a core. */
  readonly before?: readonly string[];
  /** `detached`: an interrupt from the keyboard does not reach it. */
  readonly spawn?: Pick<SpawnOptions, "detached" | "uid" | "gid">;
  /** True for a channel of messages to the process. */
  readonly hasChannel?: boolean;
  /** Gets all that it prints. */
  readonly record?: ((part: string) => void) | undefined;
}

export interface Product {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  /** What it printed on both outputs so far, or the end of it. */
  readonly output: { text: string };
  /** The address that it says it serves; rejects when the process ends first, or says nothing. */
  readonly address: Promise<string>;
  /** kill -9 of all its processes, but not of its PostgreSQL. */
  kill(): Promise<void>;
  /** SIGTERM, and kill -9 if that takes too long. Resolves with the exit code. */
  stop(): Promise<number | null>;
}

const packageFile = z.object({ scripts: z.object({ start: z.string() }) });

/** What `npm start` of a checkout gives: settings of the C library, and flags of Node. */
function startOf(checkout: string) {
  const text = readFileSync(join(checkout, "package.json"), "utf8");
  const words = packageFile.parse(JSON.parse(text)).scripts.start.split(" ");
  return {
    settings: Object.fromEntries(
      words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split("=")),
    ) as Environment,
    flags: words.filter((word) => word.startsWith("--")),
  };
}

/** The settings of this process that lead to no data and hold no secret. */
export const inherited = (): Environment =>
  Object.fromEntries(
    ["PATH", "HOME", "LANG", "TMPDIR"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Ends the child with this process: what a failed run left behind would disturb the next one. */
export function endWithUs(child: ChildProcess): void {
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

function addressOf(child: ChildProcess, output: { text: string }): Promise<string> {
  const address = new Promise<string>((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`the product ${what}:\n${output.text.slice(-6000)}`));
    setTimeout(() => fail(`did not start in ${START_MS} ms`), START_MS).unref();
    child.once("close", (code) => fail(`ended with ${code}`));
    child.stdout?.on("data", () => {
      const found = /serves on (http:\S+)/.exec(output.text)?.[1];
      if (found !== undefined && output.text.includes("Stop with")) resolve(found);
    });
  });
  // Whoever waits for it is told.
  address.catch(() => {});
  return address;
}

export function startProduct(options: ProductOptions): Product {
  const { settings, checkout = root, before = [], flags = [] } = options;
  const start = startOf(checkout);
  const usual = [process.execPath, ...start.flags, ...flags, join(checkout, "server/start.mjs")];
  const [command = "", ...words] = [...before, ...(options.command ?? usual)];
  const child = spawn(command, words, {
    ...options.spawn,
    cwd: checkout,
    env: {
      ...inherited(),
      ...start.settings,
      NODE_ENV: "production",
      PORT: "0",
      RELAY_PROCESSES: "1",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe", ...(options.hasChannel ? (["ipc"] as const) : [])],
  });
  endWithUs(child);
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (part: Buffer) => {
      output.text = (output.text + part).slice(-OUTPUT_CHARACTERS);
      options.record?.(part.toString());
    });
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    process: child,
    exitCode,
    output,
    address: addressOf(child, output),
    async kill() {
      const isDoomed = (pid: number) => programOf(pid) !== "postgres";
      signal(processTree(child.pid ?? 0).filter(isDoomed), "SIGKILL");
      if (!hasEnded(child)) await new Promise((resolve) => child.once("exit", resolve));
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      return exitCode.finally(() => clearTimeout(timer));
    },
  };
}

/** Real programs beside the product, where this machine has them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { pause } from "@/lib/timing/pause";

const START_MS = 60_000;

const works = (path: string, words: readonly string[]) =>
  spawnSync(path, words, { stdio: "ignore" }).status === 0;

let goPath: string | undefined;
function goFolder(): string {
  goPath ??= spawnSync("go", ["env", "GOPATH"], { encoding: "utf8" }).stdout?.trim() || "/none";
  return join(goPath, "bin");
}

/** The first of these programs that is on the path, or where `go install` puts it. */
export const findProgram = (names: readonly string[], words = ["--version"]) =>
  names.flatMap((name) => [name, join(goFolder(), name)]).find((path) => works(path, words));

export interface Running {
  readonly child: ChildProcess;
  /** What it printed so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Kills it. */
  stop(): Promise<void>;
}

/** Starts a program, and resolves once `isThere` does. Throws what it printed when it ends first. */
export async function startProgram(
  path: string,
  words: readonly string[],
  isThere: () => Promise<unknown>,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = spawn(path, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      text = (text + part).slice(-200_000);
    });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.once("error", () => {});
  void ended.then(() => process.off("exit", end));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  for (const since = performance.now(); ; await pause(50)) {
    const isUp = await isThere().then(Boolean, () => false);
    if (isUp) break;
    if (!hasEnded() && performance.now() - since < START_MS) continue;
    end();
    throw new Error(`${path} did not start:\n${text}`);
  }
  return {
    child,
    output: () => text,
    signal: (name) => void child.kill(name),
    async stop() {
      end();
      await ended;
    },
  };
}

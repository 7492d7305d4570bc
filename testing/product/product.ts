/** The built product in processes of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { livePostmaster } from "@/lib/db/embedded/postmaster";

export const root = join(import.meta.dirname, "../..");
const folders: string[] = [];
const products: Product[] = [];

export interface Product {
  readonly process: ChildProcess;
  readonly exitCode: Promise<number | null>;
  /** The text of standard output and standard error so far. */
  readonly output: { text: string };
  /** The address that it serves; rejects when the process ends first. */
  readonly address: Promise<string>;
}

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relay-main-"));
  folders.push(folder);
  return join(folder, "data");
}

const startItself = [process.execPath, "server/start.mjs"];

export function startProduct(
  settings: Record<string, string>,
  identity: { uid?: number; gid?: number } = {},
  [command = "", ...words]: readonly string[] = startItself,
  cwd = root,
): Product {
  const inherited = Object.fromEntries(
    ["PATH", "HOME", "LANG"].map((name) => [name, process.env[name]]),
  );
  const child = spawn(command, words, {
    ...identity,
    cwd,
    env: {
      ...inherited,
      PORT: "0",
      RELAY_PROCESSES: "1",
      ...settings,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output.text += part;
    });
  }
  const exitCode = new Promise<number | null>((resolve) => child.once("close", resolve));
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /serves on (http:\S+)/.exec(output.text)?.[1];
      if (found) resolve(found);
    });
    // It never rejects.
    void exitCode.then((code) => reject(new Error(`ended with ${code}: ${output.text}`)));
  });
  address.catch(() => {});
  const product = { process: child, exitCode, output, address };
  products.push(product);
  return product;
}

const clusterOf = (folder: string) => join(folder, "postgres", "cluster");
export const runningDatabase = (folder: string) =>
  existsSync(clusterOf(folder)) ? livePostmaster(clusterOf(folder)) : undefined;

/** Ends all products that were started, and removes their data. */
export async function endProducts(): Promise<void> {
  for (const product of products.splice(0)) {
    product.process.kill("SIGKILL");
    await product.exitCode;
  }
  for (const folder of folders.splice(0)) {
    const left = runningDatabase(join(folder, "data"));
    if (left) process.kill(left.pid, "SIGKILL");
    await vi.waitFor(() => expect(runningDatabase(join(folder, "data"))).toBeUndefined());
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

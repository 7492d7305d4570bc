/** The built product for the tests of a file: what it starts and makes is ended and removed. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { livePostmaster } from "@/lib/db/embedded/postmaster";
import {
  type Environment,
  type Product,
  type ProductOptions,
  root,
  startProduct as start,
} from "../stage/product";
import { removeFolder } from "../stage/remove-folder";

/** Builds what has changed since the last build. `npm test` has built before the tests. */
export function buildProduct(): void {
  if (process.env.TEST_BUILT === "yes") return;
  execFileSync(process.execPath, ["server/build.mjs"], { cwd: root, stdio: "pipe" });
}

const folders: string[] = [];
const products: Product[] = [];

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "relay-main-"));
  folders.push(folder);
  return join(folder, "data");
}

export function startProduct(
  settings: Environment,
  options: Omit<ProductOptions, "settings"> = {},
): Product {
  const product = start({ ...options, settings });
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
    removeFolder(folder);
  }
}

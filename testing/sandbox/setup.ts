/**
 * Bundles the sandbox's worker before a test run: code that runs from source finds it in the build
 * folder.
 */
import { join } from "node:path";
import { build } from "esbuild";

export default async function setup(): Promise<void> {
  const root = join(import.meta.dirname, "../..");
  await build({
    entryPoints: [join(root, "lib/sandbox/worker.ts")],
    outfile: join(root, "dist/sandbox-worker.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
}

/** Bundles the bench and runs it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
await build({
  entryPoints: [at("main.ts")],
  outfile: at("../dist/bench/main.mjs"),
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  sourcemap: true,
});
spawn(process.execPath, [at("../dist/bench/main.mjs")], { stdio: "inherit" }).once("exit", (code) => process.exit(code ?? 1));

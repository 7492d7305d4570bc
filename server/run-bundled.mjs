/**
 * Bundles a TypeScript program of the project and runs it: `node server/run-bundled.mjs FILE
 * [arguments…]`.
 */
import { spawn } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const [file = "", ...words] = process.argv.slice(2);
const outfile = join(root, "dist", basename(dirname(file)), `${basename(file, ".ts")}.mjs`);
await build({
  entryPoints: [join(root, file)],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  sourcemap: true,
});
spawn(process.execPath, ["--enable-source-maps", outfile, ...words], { stdio: "inherit" }).once(
  "exit",
  (code) => process.exit(code ?? 1),
);

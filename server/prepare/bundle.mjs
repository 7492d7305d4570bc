/** Bundles the server and the command line: run from source they would cost a wrapper per function on the path of every request. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { inProject } from "./project.mjs";

const entries = { server: "server/main.ts", relay: "cli/main.ts", "sandbox-worker": "lib/sandbox/worker.ts" };
const present = Object.entries(entries).filter(([, path]) => existsSync(inProject(path)));
const draft = inProject("dist", `draft-${process.pid}`);
mkdirSync(draft, { recursive: true });
try {
  await build({
    entryPoints: Object.fromEntries(present.map(([name, path]) => [name, inProject(path)])),
    absWorkingDir: inProject(),
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: true,
    logLevel: "error",
  });
  for (const name of readdirSync(draft)) renameSync(`${draft}/${name}`, inProject("dist", name));
} finally {
  rmSync(draft, { recursive: true, force: true });
}

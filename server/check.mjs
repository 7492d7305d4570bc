/**
 * `npm run check`: format and lint, types, floating promises, directions, unused code, casts, sizes,
 * the database's functions.
 * Prints one line for each, and the reason for a failure.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runChild, stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";

const program =
  (path) =>
  (...args) => [process.execPath, [inProject("node_modules", path), ...args]];
const biome = program("@biomejs/biome/bin/biome");
const typescript = program("typescript/bin/tsc");
const cruiser = program("dependency-cruiser/bin/dependency-cruise.mjs");
const oxlint = program("oxlint/bin/oxlint");
const knip = program("knip/bin/knip.js");
const next = program("next/dist/bin/next");

/**
 * If dependency-cruiser cannot parse TypeScript, it finds no modules and so no violation: that must
 * fail.
 */
function findNothingCruised(output) {
  const [, modules, dependencies] =
    /\((\d+) modules, (\d+) dependencies cruised\)/.exec(output) ?? [];
  return Number(modules) > 50 && Number(dependencies) > 50
    ? undefined
    : `only ${modules ?? 0} modules were read\n`;
}

/**
 * Each reads the folder it is run in. The longest are the first. `doubt` is asked about the output of a step that passed.
 * @type {readonly {
 *   name: string,
 *   command: [program: string, args: string[]],
 *   doubt?: (output: string) => string | undefined,
 * }[]}
 */
export const steps = [
  {
    name: "directions",
    command: cruiser("--config", ".dependency-cruiser.mjs", "."),
    doubt: findNothingCruised,
  },
  // Each checker works out anew what the others have: one takes half the processor time of the usual four.
  { name: "types", command: typescript("-p", ".", "--checkers", "1") },
  {
    name: "format, lint",
    command: biome("check", "--error-on-warnings", "--diagnostic-level=warn", "."),
  },
  { name: "unused code", command: knip() },
  { name: "casts", command: [process.execPath, [inProject("server/casts.mjs"), "."]] },
  { name: "sizes", command: [process.execPath, [inProject("server/sizes.mjs"), "."]] },
  { name: "functions", command: [process.execPath, [inProject("server/functions.mjs"), "."]] },
  { name: "promises", command: oxlint(".") },
];

/** The types of the pages' addresses are generated. Outdated ones would name pages that are gone. */
const READ_PAGE_TYPES = new Set(["types", "promises"]);

export async function makePageTypes() {
  if (existsSync(inProject("app")))
    await runChild("generating the pages' types", ...next("typegen"), { isQuiet: true });
}

/**
 * Runs every step, two at once; resolves with how many passed and failed. `pageTypes` resolves when
 * the types of the pages are there.
 */
export async function check(pageTypes = makePageTypes()) {
  let failed = 0;
  const take = async ({ name, command, doubt }) => {
    if (READ_PAGE_TYPES.has(name)) await pageTypes;
    const { code, output } = await runChild(name, ...command, { isQuiet: true });
    const reason = code === 0 ? doubt?.(output) : " ";
    if (reason) failed++;
    process.stdout.write(`${reason ? "✗" : "✓"} ${name}\n${reason ?? ""}`);
  };
  const left = [...steps];
  const takeEach = async () => {
    for (let step = left.shift(); step; step = left.shift()) await take(step);
  };
  await Promise.all([takeEach(), takeEach()]);
  return { passed: steps.length - failed, failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNodeVersion();
  process.chdir(projectFolder);
  const endStopping = stopOnSignals(130, releasePrepareLock);
  await prepare(["client"], { withDevelopment: true });
  const { failed } = await check();
  endStopping();
  process.exit(failed === 0 ? 0 : 1);
}

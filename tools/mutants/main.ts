/**
 * `npm run mutants -- [COUNT] [SEED] [FOLDER...]` changes one line at a time where money is decided,
 * in TypeScript and in the database's functions, and shows which changes the unit and integration
 * tests of `npm test` find. A change that does not compile is not counted. It works in a copy of the
 * project, and writes test-results/mutants.jsonl.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { drawMutants, type Mutant } from "./mutate";

const LONGEST_MS = 30 * 60_000;
const root = process.cwd();
const [count = 50, seed = 1] = process.argv.slice(2, 4).map(Number);
const named = process.argv.slice(4);
const folders = named.length > 0 ? named : ["lib/ledger", "lib/pricing", "lib/relay/order"];

function filesOf(paths: readonly string[]): string[] {
  const { stdout } = spawnSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" });
  return stdout.trim().split("\n");
}

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "relay-mutants-"));
  for (const path of filesOf([])) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  for (const made of ["dist", "lib/db/generated"])
    cpSync(join(root, made), join(copy, made), { recursive: true });
  for (const made of ["node_modules", ".next"]) symlinkSync(join(root, made), join(copy, made));
  return copy;
}

const copy = copyProject();
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
process.once("SIGINT", () => process.exit(130));

const run = (program: string, ...words: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [join("node_modules", program), ...words], {
    cwd: copy,
    encoding: "utf8",
    timeout: LONGEST_MS,
    env: { ...process.env, NODE_ENV: "test" },
  });
const passes = (...words: string[]) => run("vitest/vitest.mjs", ...words, "--bail=1").status === 0;
const isSql = ({ path }: Mutant) => path.endsWith(".sql");

/** A run of any test makes a database first, which refuses a function that it cannot read. */
const compiles = (mutant: Mutant) =>
  isSql(mutant)
    ? passes("run", "tools/mutants/mutate.test.ts")
    : run("typescript/bin/tsc", "-p", ".").status === 0;

/** Tests beside the file are run first: most of what is found, they find. */
function isFound(mutant: Mutant): boolean {
  const { path } = mutant;
  if (isSql(mutant)) return !passes("run", dirname(dirname(path))) || !passes("run");
  return !passes("run", dirname(path)) || !passes("related", path, "--run");
}

function tryMutant(mutant: Mutant): "found" | "missed" | null {
  const file = join(copy, mutant.path);
  const source = readFileSync(file, "utf8");
  const lines = source.split("\n");
  lines[mutant.line - 1] = mutant.after;
  writeFileSync(file, lines.join("\n"));
  try {
    if (!compiles(mutant)) return null;
    return isFound(mutant) ? "found" : "missed";
  } finally {
    writeFileSync(file, source);
  }
}

const sources = new Map(
  filesOf(folders)
    .filter((path) => /\.(ts|sql)$/.test(path) && !path.endsWith(".test.ts"))
    .map((path) => [path, readFileSync(join(root, path), "utf8")]),
);
const verdicts = { found: 0, missed: 0 };
mkdirSync("test-results", { recursive: true });
for (const mutant of drawMutants(sources, count * 3, seed)) {
  if (verdicts.found + verdicts.missed === count) break;
  const verdict = tryMutant(mutant);
  if (verdict === null) continue;
  verdicts[verdict]++;
  const { path, line, before, after } = mutant;
  process.stdout.write(`${verdict}  ${path}:${line}  ${before}  →  ${after.trim()}\n`);
  appendFileSync("test-results/mutants.jsonl", `${JSON.stringify({ verdict, ...mutant })}\n`);
}
process.stdout.write(`${verdicts.found} of ${verdicts.found + verdicts.missed} were found\n`);

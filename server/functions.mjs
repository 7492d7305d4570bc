/**
 * Checks that the database's functions stand in their files, in their present text: one in each, short
 * enough to be read, and none in a migration.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { projectFolder } from "./prepare/project.mjs";

const LINES_MAX = 70;
const COLUMNS_MAX = 100;

const made =
  /\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?(?:function|procedure|aggregate|trigger)\b|pg_get_functiondef/i;
const defined = /^create (?:or replace )?(?:function|procedure|aggregate) (\w*)/gm;

const sqlIn = (project, folder) =>
  existsSync(join(project, folder))
    ? readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".sql"))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [];

/** The number of the first line that is too wide; 0 if there is none. */
const wideLine = (text) => text.split("\n").findIndex((line) => [...line].length > COLUMNS_MAX) + 1;

function* faultsOfFunction(name, text) {
  const lines = text.split("\n").length - 1;
  if (lines > LINES_MAX) yield `${lines} lines; at most ${LINES_MAX}`;
  const names = [...text.matchAll(defined)].map(([, each]) => each);
  if (names.join() !== name) yield `defines ${names.join(", ") || "nothing"}; only ${name}`;
  if (!/^-- \S/.test(text)) yield "begins without a comment: its promise";
}

/** What is wrong below `project`, one line each. */
export function faultsIn(project) {
  const found = [];
  const look = (file, faults) => {
    const path = relative(project, file).replaceAll(sep, "/");
    const text = readFileSync(file, "utf8");
    const wide = wideLine(text);
    if (wide > 0) found.push(`${path}:${wide}: more than ${COLUMNS_MAX} columns`);
    for (const fault of faults(text, path)) found.push(`${path}: ${fault}`);
  };
  for (const file of [...sqlIn(project, "prisma"), ...sqlIn(project, "lib")])
    look(file, (text, path) => {
      if (/^lib\/[\w-]+\/sql\//.test(path)) return faultsOfFunction(basename(path, ".sql"), text);
      return made.test(text) ? ["makes a function or trigger: it belongs in lib/<owner>/sql"] : [];
    });
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = faultsIn(process.argv[2] ?? projectFolder);
  process.stdout.write(found.map((line) => `${line}\n`).join(""));
  process.exit(found.length > 0 ? 1 : 0);
}

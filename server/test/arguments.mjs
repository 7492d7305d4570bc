/** What `npm test` and `npm run test:whole` were asked to run. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { relative } from "node:path";
import { inProject, projectFolder } from "../prepare/project.mjs";

export const usage = `npm test [-- FILE_OR_FOLDER …]
npm run test:whole [-- --shard K/N] [FILE_OR_FOLDER …]`;

const isBrowserTest = (path) => /\.spec\.ts$/.test(path);
const isUnitTest = (path) => /\.test\.tsx?$/.test(path);

/** `2/4` as numbers; an Error when it is something else. */
function shardOf(word) {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(word ?? "")?.map(Number) ?? [];
  if (part >= 1 && part <= of) return { part, of };
  throw new Error(`--shard ${word ?? ""}: it must be K/N with K from 1 to N, such as 2/4`);
}

/** Where a named file or folder has tests of each kind. */
function kindsOf(path) {
  if (!existsSync(inProject(path))) throw new Error(`${path}: there is no such file or folder`);
  const files = statSync(inProject(path)).isDirectory()
    ? readdirSync(inProject(path), { recursive: true })
    : [path];
  const kinds = { unit: files.some(isUnitTest), browser: files.some(isBrowserTest) };
  if (!kinds.unit && !kinds.browser) throw new Error(`${path}: it has no tests`);
  return kinds;
}

/**
 * Reads the words of the command line: a shard, if any, and the named paths of each kind of test.
 * `isAll` when no path was named. Throws an Error whose message tells what is wrong.
 */
export function readArguments(words) {
  const asked = { shard: undefined, isAll: true, unit: [], browser: [] };
  for (const rest = [...words]; rest.length > 0; ) {
    const word = rest.shift();
    if (word === "--shard") asked.shard = shardOf(rest.shift());
    else if (word.startsWith("-")) throw new Error(`${word}: the only option is --shard K/N`);
    else {
      const path = relative(projectFolder, inProject(word));
      const kinds = kindsOf(path);
      asked.isAll = false;
      if (kinds.unit) asked.unit.push(path);
      if (kinds.browser) asked.browser.push(path);
    }
  }
  return asked;
}

/**
 * Counts the type assertions (`value as Type`) of production code, and fails above the bound. `as
 * const` and renamed imports are no assertions and do not count. The checks and typed look-ups that
 * replace assertions are in `lib/values/records.ts`.
 */
import { fileURLToPath } from "node:url";
import { projectFolder } from "./prepare/project.mjs";
import { isTest, parseSource, sourcesIn } from "./sources.mjs";

/** Lower it when assertions are removed. A new assertion requires the removal of another. */
export const CASTS_MAX = 77;

const folders = ["app", "components", "lib", "server", "cli"];
const isAssertion = (type) => type === "TsAsExpression" || type === "TsTypeAssertion";

function assertionsIn(node) {
  if (typeof node !== "object" || node === null) return 0;
  let count = isAssertion(node.type) ? 1 : 0;
  for (const member of Object.values(node)) count += assertionsIn(member);
  return count;
}

/**
 * The number of assertions in each production file below `project`; files without any are left out.
 */
export function countCasts(project) {
  const counts = new Map();
  for (const source of sourcesIn(project, folders)) {
    const { path, text } = source;
    // Parsing takes most of the time, and most files cannot have any.
    if (!/\.tsx?$/.test(path) || isTest(path) || !/\bas\b|<\w/.test(text)) continue;
    const count = assertionsIn(parseSource(source));
    if (count > 0) counts.set(path, count);
  }
  return counts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const counts = countCasts(process.argv[2] ?? projectFolder);
  let total = 0;
  for (const count of counts.values()) total += count;
  const lines = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([path, count]) => `${count}\t${path}\n`);
  process.stdout.write(`${total} type assertions; at most ${CASTS_MAX}\n${lines.join("")}`);
  process.exit(total > CASTS_MAX ? 1 : 0);
}

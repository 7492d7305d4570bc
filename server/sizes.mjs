/**
 * Measures files and functions as they stand, blank lines and comments included, and fails when one
 * is too long. Biome's rules of the same purpose count neither the lines that only close a bracket
 * nor all those of a comment.
 */
import { fileURLToPath } from "node:url";
import { projectFolder } from "./prepare/project.mjs";
import { isTest, parseSource, sourcesIn } from "./sources.mjs";

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;
/** A test is one story, which is read from top to bottom. */
const TEST_LINES_MAX = 150;
/** Of production code. */
const FILE_LINES_MEDIAN_MAX = 60;
const FILE_LINES_95TH_MAX = 200;

const production = ["app", "components", "lib", "server", "cli"];
const others = [".", "messages", "e2e", "testing", "tools"];

const functions = new Set([
  "ArrowFunctionExpression",
  "ClassMethod",
  "Constructor",
  "FunctionDeclaration",
  "FunctionExpression",
  "GetterProperty",
  "MethodProperty",
  "PrivateMethod",
  "SetterProperty",
]);

const lineCount = (text) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

function* functionsIn(node) {
  if (typeof node !== "object" || node === null) return;
  if (functions.has(node.type)) yield node.span;
  for (const member of Object.values(node)) yield* functionsIn(member);
}

/** The functions of a file that are longer than `max` lines: the line where each begins, and its lines. */
function longFunctions(source, max) {
  const bytes = Buffer.from(source.text);
  const lineAt = (position) => {
    let line = 1;
    for (let at = bytes.indexOf(10); at !== -1 && at < position; at = bytes.indexOf(10, at + 1))
      line++;
    return line;
  };
  return [...functionsIn(parseSource(source).body)]
    .map(({ start, end }) => ({ line: lineAt(start - 1), lastLine: lineAt(end - 2) }))
    .map(({ line, lastLine }) => ({ line, lines: lastLine - line + 1 }))
    .filter(({ lines }) => lines > max);
}

const share = (numbers, part) =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * part)] ?? 0;

/** What is too long below `project`, one line each. */
export function oversizes(project) {
  const found = [];
  const lengths = [];
  const measure = (source, isProduction) => {
    const { path, text } = source;
    const lines = lineCount(text);
    if (isProduction && !isTest(path)) lengths.push(lines);
    if (lines > FILE_LINES_MAX) found.push(`${path}: ${lines} lines; at most ${FILE_LINES_MAX}`);
    const max = isTest(path) ? TEST_LINES_MAX : FUNCTION_LINES_MAX;
    if (lines <= max) return;
    for (const long of longFunctions(source, max))
      found.push(`${path}:${long.line}: a function of ${long.lines} lines; at most ${max}`);
  };
  for (const source of sourcesIn(project, production)) measure(source, true);
  for (const source of sourcesIn(project, others)) measure(source, false);
  const median = share(lengths, 0.5);
  if (median > FILE_LINES_MEDIAN_MAX)
    found.push(`half of the files have ${median} lines or more; at most ${FILE_LINES_MEDIAN_MAX}`);
  const high = share(lengths, 0.95);
  if (high > FILE_LINES_95TH_MAX)
    found.push(
      `a twentieth of the files has ${high} lines or more; at most ${FILE_LINES_95TH_MAX}`,
    );
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = oversizes(process.argv[2] ?? projectFolder);
  process.stdout.write(found.map((line) => `${line}\n`).join(""));
  process.exit(found.length > 0 ? 1 : 0);
}

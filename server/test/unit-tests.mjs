/**
 * The unit and integration tests of `npm test`. Up to five files that failed are run once more,
 * alone: a test may time out beside others on a busy machine. What passes then is named.
 */
import { freemem } from "node:os";
import { runChild } from "../prepare/child.mjs";
import { inProject } from "../prepare/project.mjs";
import { readReport } from "./read-report.mjs";

/** More failed files than this are no accident. */
const TRIED_AGAIN = 5;
/**
 * Files share processes, whose memory grows with each file to some 2 GiB: where that is much, new
 * ones start for each part, and load all modules anew.
 */
const PARTS = freemem() > 16 * 1024 ** 3 ? 1 : 3;

async function runFiles(label, name, args) {
  const path = inProject("test-results", name);
  const { code } = await runChild(
    label,
    process.execPath,
    [inProject("node_modules/vitest/vitest.mjs"), "run", ...args],
    { env: { NODE_ENV: "test", VITEST_COUNTS: path, TEST_BUILT: "yes" } },
  );
  return { code, files: [], unhandled: [], ...readReport(path) };
}

const linesOf = ({ path, failures }) =>
  failures.map(
    ({ name, message }) => `${path} › ${name}\n    ${message.replaceAll("\n", "\n    ")}`,
  );

/**
 * What two runs say together: a file counts as in its last run, or as in its first if `isStrict`.
 * `again` is the second run, of the files that failed in the first, or undefined. A run that failed
 * without a failed test counts as one failure.
 */
export function judge(first, again, isStrict = false) {
  const failedFirst = first.files.filter(({ failed }) => failed > 0);
  const last = first.files.map((file) => {
    const isItsOwn = ({ path }) => file.failed > 0 && path === file.path;
    const later = again?.files.find(isItsOwn);
    return later ? { ...later, seconds: file.seconds + later.seconds } : file;
  });
  const counted = isStrict ? first.files : last;
  const unhandled = [...first.unhandled, ...(again?.unhandled ?? [])];
  const sumOf = (field) => counted.reduce((sum, file) => sum + file[field], 0);
  const failed = sumOf("failed") + unhandled.length;
  const code = again && !isStrict && unhandled.length === 0 ? again.code : first.code;
  const isTold = sumOf("passed") + failed > 0 && (code === 0) === (failed === 0);
  const stillFailed = last.filter((file) => file.failed > 0);
  return {
    passed: sumOf("passed"),
    failed: isTold ? failed : failed + 1,
    files: last.map(({ path, seconds }) => ({ path, seconds })),
    failures: [...stillFailed.flatMap(linesOf), ...unhandled],
    passedAgain: failedFirst
      .filter(({ path }) => !stillFailed.some((file) => file.path === path))
      .flatMap(linesOf),
  };
}

/** The runs of all parts as one. A part that crashed or reported nothing is an error of its own. */
export function joinParts(parts) {
  const errorsOf = ({ code, files, unhandled }, at) => {
    const isTold = unhandled.length > 0 || files.some(({ failed }) => failed > 0);
    if (files.length > 0 && (code === 0 || isTold)) return unhandled;
    return [...unhandled, `part ${at + 1} ended with ${code} and ${files.length} files reported`];
  };
  return {
    code: parts.find(({ code }) => code !== 0)?.code ?? 0,
    files: parts.flatMap(({ files }) => files),
    unhandled: parts.flatMap(errorsOf),
  };
}

/** Vitest's share `part` of all files: a part of the shard, or of everything. */
function shareOf(part, { part: shard, of } = { part: 1, of: 1 }) {
  return `--shard=${(shard - 1) * PARTS + part}/${of * PARTS}`;
}

async function runParts(shard) {
  const parts = [];
  for (let part = 1; part <= PARTS; part++) {
    const label = `unit and integration tests, part ${part} of ${PARTS}`;
    parts.push(await runFiles(label, `unit-${part}.json`, [shareOf(part, shard)]));
  }
  return joinParts(parts);
}

/**
 * Runs the tests in `paths`, or all of them, or the `shard` of them, and failed files once more.
 * With `isStrict` what passes only then counts as failed.
 */
export async function runUnitTests({ paths, shard, isStrict }) {
  const first =
    paths.length > 0
      ? joinParts([await runFiles("unit and integration tests", "unit.json", paths)])
      : await runParts(shard);
  const failed = first.files.filter((file) => file.failed > 0);
  if (failed.length === 0 || failed.length > TRIED_AGAIN) return judge(first, undefined);
  const args = [...failed.map(({ path }) => path), "--maxWorkers=1"];
  return judge(first, await runFiles("failed tests once more", "unit-again.json", args), isStrict);
}

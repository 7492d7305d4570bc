/** The browser tests of `npm test`: runs Playwright and reads its report. */
import { runChild } from "../prepare/child.mjs";
import { inProject } from "../prepare/project.mjs";
import { findChromium } from "./find-chromium.mjs";
import { readReport } from "./read-report.mjs";

function* testsBelow(suite, file = suite.file) {
  for (const spec of suite.specs ?? [])
    for (const test of spec.tests) yield { file: spec.file ?? file, title: spec.title, test };
  for (const inner of suite.suites ?? []) yield* testsBelow(inner, inner.file ?? file);
}

const isSkippedOnPurpose = ({ annotations = [] }) =>
  annotations.some(({ type }) => type === "skip" || type === "fixme");

/**
 * The counts of a report of Playwright. A test that did not run because an earlier one or a hook
 * failed counts as failed; so does, if `isStrict`, one that passed only when it was tried again.
 */
export function readBrowserReport(report, isStrict) {
  const counts = { passed: 0, failed: 0, failures: [], passedAgain: [] };
  const seconds = new Map();
  const suites = report?.suites ?? [];
  for (const { file, title, test } of suites.flatMap((suite) => [...testsBelow(suite)])) {
    const spent = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000;
    seconds.set(file, (seconds.get(file) ?? 0) + spent);
    const name = `e2e/${file} › ${title}`;
    const isFlaky = test.status === "flaky";
    if (isFlaky) counts.passedAgain.push(name);
    if (test.status === "expected" || (isFlaky && !isStrict)) counts.passed++;
    else if (isFlaky || test.status === "unexpected" || !isSkippedOnPurpose(test)) {
      counts.failed++;
      if (!isFlaky) counts.failures.push(name);
    }
  }
  const files = [...seconds].map(([path, sum]) => ({ path: `e2e/${path}`, seconds: sum }));
  return { ...counts, files };
}

/** Like `runUnitTests`, with a browser. A run that crashed counts as one more failure. */
export async function runBrowserTests({ paths, shard, isStrict }) {
  const missing = { passed: 0, failed: 1, files: [], failures: ["no browser"], passedAgain: [] };
  const browser = await findChromium();
  if (!browser) return missing;
  const report = inProject("test-results", "browser.json");
  const { code } = await runChild(
    "browser tests",
    process.execPath,
    [
      inProject("node_modules/@playwright/test/cli.js"),
      "test",
      "--reporter=list,json",
      ...(shard ? [`--shard=${shard.part}/${shard.of}`] : []),
      ...paths,
    ],
    {
      env: {
        CHROMIUM_PATH: browser,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        NODE_ENV: "test",
        ...(paths.length === 0 && !isStrict && { TEST_EXTENT: "core" }),
      },
    },
  );
  const result = readBrowserReport(readReport(report), isStrict);
  const isTold = result.failed > 0 || (code === 0 && result.passed > 0);
  if (isTold) return result;
  const failures = [...result.failures, `Playwright ended with ${code}`];
  return { ...result, failed: result.failed + 1, failures };
}

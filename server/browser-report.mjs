/** Reads Playwright's JSON report into the counts of `npm test`. */

function* testsBelow(suite, file = suite.file) {
  for (const spec of suite.specs ?? [])
    for (const test of spec.tests) yield { file: spec.file ?? file, test };
  for (const inner of suite.suites ?? []) yield* testsBelow(inner, inner.file ?? file);
}

const isSkippedOnPurpose = ({ annotations = [] }) =>
  annotations.some(({ type }) => type === "skip" || type === "fixme");

/** A test that did not run because an earlier one or a hook failed counts as failed. */
export function readBrowserReport(report) {
  const counts = { passed: 0, failed: 0, flaky: 0 };
  const seconds = new Map();
  for (const { file, test } of (report?.suites ?? []).flatMap((suite) => [...testsBelow(suite)])) {
    const spent = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000;
    seconds.set(file, (seconds.get(file) ?? 0) + spent);
    if (test.status === "expected" || test.status === "flaky") counts.passed++;
    else if (test.status === "unexpected" || !isSkippedOnPurpose(test)) counts.failed++;
    if (test.status === "flaky") counts.flaky++;
  }
  const files = [...seconds].map(([path, sum]) => ({ path: `e2e/${path}`, seconds: sum }));
  return { ...counts, files };
}

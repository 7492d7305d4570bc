/**
 * Counts Vitest's results for `npm test`. A test that did not run because a hook failed counts as
 * failed; Vitest's own reports call it skipped.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";

/** True for a test that should have run and did not. */
const isHidden = (testCase) =>
  testCase.options.mode === "run" &&
  testCase.result().state === "skipped" &&
  !testCase.result().note;

/**
 * Failures of a file or suite that belong to no test: the tests that its failed hooks prevented, or
 * the hook alone.
 */
function hookFailures(suite) {
  if (suite.errors().length === 0) return 0;
  return Math.max(1, [...suite.children.allTests()].filter(isHidden).length);
}

function countModule(module) {
  const states = [...module.children.allTests()].map((testCase) => testCase.result().state);
  const failures = hookFailures(module);
  // A failed hook of the file also prevents the tests in its suites.
  const inSuites = [...module.children.allSuites()].reduce(
    (sum, suite) => sum + hookFailures(suite),
    0,
  );
  return {
    passed: states.filter((state) => state === "passed").length,
    failed: states.filter((state) => state === "failed").length + (failures || inSuites),
  };
}

export default class Counts {
  constructor({ outputFile }) {
    this.outputFile = outputFile;
  }

  onTestRunEnd(modules, unhandledErrors) {
    const counts = modules.map(countModule);
    const sumOf = (field) => counts.reduce((sum, count) => sum + count[field], 0);
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      const path = relative(process.cwd(), module.moduleId);
      return { path, seconds: (collectDuration + duration) / 1000 };
    });
    const report = {
      passed: sumOf("passed"),
      failed: sumOf("failed") + unhandledErrors.length,
      files,
    };
    mkdirSync(dirname(this.outputFile), { recursive: true });
    writeFileSync(this.outputFile, JSON.stringify(report));
  }
}

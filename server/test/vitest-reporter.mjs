/**
 * Counts Vitest's results for `npm test`, a file at a time. A test that did not run because a hook
 * failed counts as failed; Vitest's own reports call it skipped.
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

const messageOf = (errors) => errors?.[0]?.message ?? "It did not say why.";

/** What failed in a file, each with its name and the first message. */
function failuresOf(module) {
  const suites = [module, ...module.children.allSuites()].filter((one) => one.errors().length > 0);
  const tests = [...module.children.allTests("failed")];
  return [
    ...suites.map((one) => ({ name: one.fullName ?? "", message: messageOf(one.errors()) })),
    ...tests.map((one) => ({ name: one.fullName, message: messageOf(one.result().errors) })),
  ];
}

const pathOf = (module) => relative(process.cwd(), module.moduleId);

function reportOf(module) {
  const states = [...module.children.allTests()].map((testCase) => testCase.result().state);
  const failures = hookFailures(module);
  // A failed hook of the file also prevents the tests in its suites.
  const inSuites = [...module.children.allSuites()].reduce(
    (sum, suite) => sum + hookFailures(suite),
    0,
  );
  const { collectDuration, duration } = module.diagnostic();
  return {
    path: pathOf(module),
    seconds: (collectDuration + duration) / 1000,
    passed: states.filter((state) => state === "passed").length,
    failed: states.filter((state) => state === "failed").length + (failures || inSuites),
    failures: failuresOf(module),
  };
}

export default class Counts {
  constructor({ outputFile }) {
    this.outputFile = outputFile;
  }

  /** Says why at once: a run of an hour may be stopped before its end. */
  onTestModuleEnd(module) {
    for (const { name, message } of failuresOf(module))
      process.stdout.write(`✗ ${pathOf(module)} › ${name}: ${message}\n`);
  }

  onTestRunEnd(modules, unhandledErrors) {
    const report = {
      files: modules.map(reportOf),
      unhandled: unhandledErrors.map((error) => messageOf([error])),
    };
    mkdirSync(dirname(this.outputFile), { recursive: true });
    writeFileSync(this.outputFile, JSON.stringify(report));
  }
}

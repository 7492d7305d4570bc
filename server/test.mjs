/**
 * `npm test`: runs all checks and tests, also from a fresh clone. The last line says how many
 * passed and failed.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { readBrowserReport } from "./browser-report.mjs";
import { check } from "./check.mjs";
import { findChromium } from "./find-chromium.mjs";
import { runChild, stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";
import { runUnitTests } from "./unit-tests.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(130, releasePrepareLock);
const total = { passed: 0, failed: 0 };
const times = [];
const SLOWEST_SHOWN = 20;

function add(name, { passed, failed }) {
  total.passed += passed;
  total.failed += failed;
  process.stdout.write(`${name}: ${passed} passed, ${failed} failed\n`);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * The counts of a suite. One that crashed, reported nothing or found no test counts as one more
 * failure.
 */
function verdict(code, passed, failed) {
  const isWhole = passed + failed > 0 && (code === 0) === (failed === 0);
  return { passed, failed: isWhole ? failed : failed + 1 };
}

async function runBrowserTests() {
  if (!existsSync(inProject("playwright.config.ts"))) return { passed: 0, failed: 0 };
  const browser = await findChromium();
  if (!browser) return { passed: 0, failed: 1 };
  const report = inProject("test-results", "browser.json");
  const { code } = await runChild(
    "browser tests",
    process.execPath,
    [inProject("node_modules/@playwright/test/cli.js"), "test", "--reporter=list,json"],
    { env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NODE_ENV: "test" } },
  );
  const { passed, failed, flaky, files } = readBrowserReport(readReport(report));
  if (flaky > 0)
    process.stdout.write(`Browser tests that passed only when tried again: ${flaky}\n`);
  times.push(...files);
  return verdict(code, passed, failed);
}

function showSlowest() {
  const slowest = times.sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_SHOWN);
  const lines = slowest.map(
    ({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}\n`,
  );
  process.stdout.write(`\nThe slowest of ${times.length} test files:\n${lines.join("")}`);
}

/** Near the end of the output, where whoever reads only that finds them. */
function showTests(title, tests) {
  if (tests.length > 0) process.stdout.write(`\n${title}:\n  ${tests.join("\n  ")}\n`);
}

await prepare(["client", "bundle", "pages"], { withDevelopment: true });
rmSync(inProject("test-results"), { recursive: true, force: true });
mkdirSync(inProject("test-results"), { recursive: true });
add("Checks", await check());
const unit = await runUnitTests();
times.push(...unit.files);
add("Unit and integration tests", unit);
add("Browser tests", await runBrowserTests());
endStopping();
showSlowest();
showTests("Unit tests that passed only when tried again", unit.passedAgain);
showTests("Unit tests that failed", unit.failures);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

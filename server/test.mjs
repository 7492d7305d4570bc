/** `npm test`: everything that can be checked, from a fresh clone on; the last line says how many passed and failed. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { check } from "./check.mjs";
import { findChromium } from "./find-chromium.mjs";
import { runChild, stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(130, releasePrepareLock);
const total = { passed: 0, failed: 0 };

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

/** What a suite reports; one that crashed, reported nothing or found no test counts as one failure more. */
function verdict(code, passed, failed) {
  const isWhole = passed + failed > 0 && (code === 0) === (failed === 0);
  return { passed, failed: isWhole ? failed : failed + 1 };
}

async function runUnitTests() {
  const report = inProject("test-results", "unit.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const { code } = await runChild("unit and integration tests", process.execPath, [inProject("node_modules/vitest/vitest.mjs"), ...args], {
    env: { NODE_ENV: "test" },
  });
  const found = readReport(report);
  return verdict(code, found?.numPassedTests ?? 0, found?.numFailedTests ?? 0);
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
  const { expected = 0, unexpected = 0, flaky = 0 } = readReport(report)?.stats ?? {};
  if (flaky > 0) process.stdout.write(`Browser tests that passed only when tried again: ${flaky}\n`);
  return verdict(code, expected + flaky, unexpected);
}

await prepare(["client", "bundle", "pages"], { withDevelopment: true });
rmSync(inProject("test-results"), { recursive: true, force: true });
mkdirSync(inProject("test-results"), { recursive: true });
add("Checks", await check());
add("Unit and integration tests", await runUnitTests());
add("Browser tests", await runBrowserTests());
endStopping();
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

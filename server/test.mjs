/**
 * `npm test` and, with TEST_EXTENT=whole, `npm run test:whole`: all checks and tests, also from a
 * fresh clone, or what the command line names. The last line says how many passed and failed.
 */
import { mkdirSync, rmSync } from "node:fs";
import { freemem } from "node:os";
import { check, makePageTypes } from "./check.mjs";
import { stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { fail, inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";
import { readArguments, usage } from "./test/arguments.mjs";
import { runBrowserTests } from "./test/browser-tests.mjs";
import { processorSeconds } from "./test/processor-time.mjs";
import { runUnitTests } from "./test/unit-tests.mjs";

const SLOWEST_SHOWN = 20;
/** What three processes of unit tests and a browser with its product take together. */
const BESIDE_BYTES = 8 * 1024 ** 3;

requireNodeVersion();
process.chdir(projectFolder);
const startedAt = Date.now();
const isStrict = process.env.TEST_EXTENT === "whole";
const asked = readWords(process.argv.slice(2));
const endStopping = stopOnSignals(130, releasePrepareLock);
const total = { passed: 0, failed: 0 };
const times = [];

function readWords(words) {
  try {
    return readArguments(words);
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}

function add(name, { passed, failed, files = [] }) {
  total.passed += passed;
  total.failed += failed;
  times.push(...files);
  process.stdout.write(`${name}: ${passed} passed, ${failed} failed\n`);
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

function showCost() {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const processor = processorSeconds();
  const cost = processor === undefined ? "" : `, ${Math.round(processor)} s of processor time`;
  process.stdout.write(`\nIt took ${seconds} s${cost}.\n`);
}

/** Tests in these folders never open a page. */
const withoutPages = /^(lib|app|components|cli)(\/|$)/;

/** The checks beside the build, which leaves a core unused most of the time. */
async function buildAndCheck() {
  await prepare(["client"], { withDevelopment: true });
  const needPages =
    asked.browser.length > 0 || !asked.unit.every((path) => withoutPages.test(path));
  const steps = asked.isAll || needPages ? ["bundle", "pages"] : ["bundle"];
  const built = prepare(steps, { withDevelopment: true });
  const hasChecks = asked.isAll && (asked.shard?.part ?? 1) === 1;
  if (hasChecks) add("Checks", await check(built.then(makePageTypes)));
  await built;
}

/** Unit tests and browser tests beside each other if there is memory for both. */
async function runTests() {
  const kinds = [
    ["Unit and integration tests", runUnitTests, asked.unit],
    ["Browser tests", runBrowserTests, asked.browser],
  ].filter(([, , paths]) => asked.isAll || paths.length > 0);
  const runs = [];
  for (const [name, run, paths] of kinds) {
    if (freemem() < BESIDE_BYTES) await Promise.all(runs);
    runs.push(
      run({ paths, shard: asked.shard, isStrict }).then((result) => {
        add(name, result);
        return result;
      }),
    );
  }
  return Promise.all(runs);
}

await buildAndCheck();
rmSync(inProject("test-results"), { recursive: true, force: true });
mkdirSync(inProject("test-results"), { recursive: true });
const results = await runTests();
endStopping();
showSlowest();
const passedAgain = results.flatMap((result) => result.passedAgain);
showTests(
  isStrict ? "Failed, then passed when tried again" : "Passed only when tried again",
  passedAgain,
);
showTests(
  "Failed",
  results.flatMap((result) => result.failures),
);
showCost();
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);

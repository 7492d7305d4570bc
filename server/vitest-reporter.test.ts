import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Runs Vitest on one file and returns what the reporter wrote. */
function report(source: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), "relay-reporter-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "one.test.ts"), source);
  const reporter = [
    join(root, "server/vitest-reporter.mjs"),
    { outputFile: join(folder, "r.json") },
  ];
  const config = `export default { test: { reporters: [${JSON.stringify(reporter)}] } }`;
  writeFileSync(join(folder, "vitest.config.mjs"), config);
  const program = join(root, "node_modules/vitest/vitest.mjs");
  spawnSync(process.execPath, [program, "run"], {
    cwd: folder,
    env: { PATH: process.env.PATH } as never,
  });
  return JSON.parse(readFileSync(join(folder, "r.json"), "utf8"));
}

const names = 'import { afterAll, beforeAll, describe, test } from "vitest";';
const fails = '(() => { throw new Error("a hook") });';

test.each([
  [
    "tests that a failed beforeAll hides",
    `beforeAll${fails} test("a", () => {}); describe("d", () => { test("b", () => {}); })`,
    0,
    2,
  ],
  [
    "tests that a suite's hook hides, once",
    `describe("d", () => { beforeAll${fails} test("a", () => {}); }); test("b", () => {})`,
    1,
    1,
  ],
  ["a failed afterAll", `afterAll${fails} test("a", () => {})`, 1, 1],
  ["a file that cannot be loaded", 'throw new Error("at import");', 0, 1],
  [
    "no failure for a test that is skipped on purpose",
    'test("a", () => {}); test.skip("b", () => {}); test.runIf(false)("c", () => {}); test("d", (context) => context.skip("why"))',
    1,
    0,
  ],
])("%s", (_, source, passed, failed) => {
  expect(report(`${names}\n${source}`)).toMatchObject({
    files: [{ path: "one.test.ts", passed, failed }],
    unhandled: [],
  });
});

test("an error outside of tests", () => {
  const late = 'setTimeout(() => { throw new Error("late"); })';
  const waits = "return new Promise((done) => setTimeout(done, 50))";
  expect(report(`${names}\ntest("a", () => { ${late}; ${waits}; })`)).toMatchObject({
    files: [{ path: "one.test.ts", passed: 1, failed: 0 }],
    unhandled: ["late"],
  });
});

test("what failed is named with its message, a hook by its suite", () => {
  const suite = `describe("d", () => { beforeAll${fails} test("a", () => {}); });`;
  const source = `${suite} test("b", () => { throw new Error("no"); });`;
  expect(report(`${names}\n${source}`)).toMatchObject({
    files: [
      {
        failures: [
          { name: "d", message: "a hook" },
          { name: "b", message: "no" },
        ],
      },
    ],
  });
});

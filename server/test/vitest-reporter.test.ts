import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const names = 'import { afterAll, beforeAll, describe, test } from "vitest";';
const fails = '(() => { throw new Error("a hook") });';
const late = 'setTimeout(() => { throw new Error("late"); })';

/** Files of tests, with what is reported of each. */
const files = {
  "tests that a failed beforeAll hides": [
    `beforeAll${fails} test("a", () => {}); describe("d", () => { test("b", () => {}); })`,
    { passed: 0, failed: 2 },
  ],
  "tests that a suite's hook hides, once": [
    `describe("d", () => { beforeAll${fails} test("a", () => {}); }); test("b", () => {})`,
    { passed: 1, failed: 1 },
  ],
  "a failed afterAll": [`afterAll${fails} test("a", () => {})`, { passed: 1, failed: 1 }],
  "a file that cannot be loaded": ['throw new Error("at import");', { passed: 0, failed: 1 }],
  "no failure for a test that is skipped on purpose": [
    'test("a", () => {}); test.skip("b", () => {}); test.runIf(false)("c", () => {}); test("d", (context) => context.skip("why"))',
    { passed: 1, failed: 0 },
  ],
  "what failed with its message, a hook by its suite": [
    `describe("d", () => { beforeAll${fails} test("a", () => {}); }); test("b", () => { throw new Error("no"); });`,
    {
      failures: [
        { name: "d", message: "a hook" },
        { name: "b", message: "no" },
      ],
    },
  ],
  "an error outside of tests": [
    `test("a", () => { ${late}; return new Promise((done) => setTimeout(done, 50)); })`,
    { passed: 1, failed: 0 },
  ],
} as const;

const pathOf = (name: string) => `${name.replaceAll(/\W/g, "-")}.test.ts`;
let printed: string;
let report: { files: { path: string }[]; unhandled: string[] };

/** One run of Vitest on all of them. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "relay-reporter-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const [name, [source]] of Object.entries(files))
    writeFileSync(join(folder, pathOf(name)), `${names}\n${source}`);
  const reporter = [
    join(root, "server/test/vitest-reporter.mjs"),
    { outputFile: join(folder, "r.json") },
  ];
  const config = { test: { reporters: [reporter], maxWorkers: 1, isolate: false } };
  writeFileSync(join(folder, "vitest.config.mjs"), `export default ${JSON.stringify(config)}`);
  printed = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run"], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH } as never,
  }).stdout;
  report = JSON.parse(readFileSync(join(folder, "r.json"), "utf8"));
  rmSync(folder, { recursive: true, force: true });
});

test.each(Object.entries(files))("%s", (name, [, said]) => {
  expect(report.files.find(({ path }) => path === pathOf(name))).toMatchObject(said);
});

test("why a test failed is said as soon as its file has ended", () => {
  const name = "what failed with its message, a hook by its suite";
  expect(printed).toContain(`✗ ${pathOf(name)} › d: a hook\n`);
  expect(printed).toContain(`✗ ${pathOf(name)} › b: no\n`);
});

test("an error outside of tests is reported apart from the files", () => {
  expect(report.unhandled).toEqual(["late"]);
});

import { expect, test } from "vitest";
import { joinParts, judge } from "./unit-tests.mjs";

const file = (path: string, passed: number, ...names: string[]) => ({
  path,
  seconds: 1,
  passed,
  failed: names.length,
  failures: names.map((name) => ({ name, message: "late" })),
});

const run = (...files: ReturnType<typeof file>[]) => ({
  code: files.some(({ failed }) => failed > 0) ? 1 : 0,
  files,
  unhandled: [] as string[],
});

test("a file that passes when it is tried again counts as passed, and is named", () => {
  const first = run(file("a.test.ts", 3), file("b.test.ts", 1, "waits"));
  expect(judge(first, run(file("b.test.ts", 2)))).toEqual({
    passed: 5,
    failed: 0,
    files: [
      { path: "a.test.ts", seconds: 1 },
      { path: "b.test.ts", seconds: 2 },
    ],
    failures: [],
    passedAgain: ["b.test.ts › waits\n    late"],
  });
});

test("where no second try counts, it is named all the same, and its first failures count", () => {
  const first = run(file("a.test.ts", 3), file("b.test.ts", 1, "waits"));
  expect(judge(first, run(file("b.test.ts", 2)), true)).toMatchObject({
    passed: 4,
    failed: 1,
    failures: [],
    passedAgain: ["b.test.ts › waits\n    late"],
  });
});

test("a file that fails twice counts as failed", () => {
  const first = run(file("a.test.ts", 3), file("b.test.ts", 1, "waits", "ends"));
  const again = run(file("b.test.ts", 2, "ends"));
  expect(judge(first, again)).toMatchObject({
    passed: 5,
    failed: 1,
    failures: ["b.test.ts › ends\n    late"],
    passedAgain: [],
  });
});

test("a second run that does not report the file leaves its failures", () => {
  const first = run(file("b.test.ts", 1, "waits"));
  expect(judge(first, run()).failed).toBeGreaterThan(0);
  expect(judge(first, undefined)).toMatchObject({ passed: 1, failed: 1 });
});

test("an error outside of tests fails the run, also when the failed files pass later", () => {
  const first = { ...run(file("b.test.ts", 1, "waits")), unhandled: ["at exit"] };
  expect(judge(first, run(file("b.test.ts", 2)))).toMatchObject({
    failed: 1,
    failures: ["at exit"],
  });
});

test.each([
  ["no tests at all", { ...run(), code: 0 }],
  ["a crash without a report", { ...run(), code: 1 }],
  ["a failing exit code with passed tests only", { ...run(file("a.test.ts", 1)), code: 1 }],
])("%s is a failure", (_, first) => {
  expect(judge(first, undefined).failed).toBe(1);
});

test("parts count as one run, and one that crashed is not forgotten when failed files pass later", () => {
  const good = run(file("a.test.ts", 3));
  expect(joinParts([good, run(file("b.test.ts", 2))])).toEqual(
    run(file("a.test.ts", 3), file("b.test.ts", 2)),
  );
  const parts = joinParts([good, run(file("b.test.ts", 1, "waits")), { ...run(), code: 1 }]);
  expect(judge(parts, run(file("b.test.ts", 2)))).toMatchObject({
    failed: 1,
    failures: ["part 3 ended with 1 and 0 files reported"],
  });
  expect(joinParts([good, run()]).unhandled).toHaveLength(1);
});

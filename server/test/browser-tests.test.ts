import { expect, test } from "vitest";
import { readBrowserReport } from "./browser-tests.mjs";

const spec = (title: string, status: string, annotations: readonly { type: string }[] = []) => ({
  title,
  file: "a.spec.ts",
  tests: [{ status, annotations, results: [{ duration: 500 }] }],
});
const report = {
  suites: [
    {
      file: "a.spec.ts",
      specs: [spec("shows", "expected"), spec("waits", "flaky")],
      suites: [
        {
          specs: [
            spec("breaks", "unexpected"),
            spec("is left out", "skipped", [{ type: "skip" }]),
            spec("was prevented", "skipped"),
          ],
        },
      ],
    },
  ],
};

test("each test counts once, one that a failure prevented as failed, and flaky ones are named", () => {
  expect(readBrowserReport(report, false)).toEqual({
    passed: 2,
    failed: 2,
    failures: ["e2e/a.spec.ts › breaks", "e2e/a.spec.ts › was prevented"],
    passedAgain: ["e2e/a.spec.ts › waits"],
    files: [{ path: "e2e/a.spec.ts", seconds: 2.5 }],
  });
});

test("one that passed only when tried again is a failure where no second try counts", () => {
  expect(readBrowserReport(report, true)).toMatchObject({ passed: 1, failed: 3 });
});

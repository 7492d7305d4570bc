import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workInMemory } from "./testing/unit/temporary-folder";

workInMemory();

/** The file in which `npm test` expects the counts. */
const counts = process.env.VITEST_COUNTS;

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["{lib,server,cli,app,components,e2e,testing,tools}/**/*.test.{ts,tsx}"],
    globalSetup: ["testing/db/setup.ts", "testing/sandbox/setup.ts"],
    // A test that hangs ends; a slow machine may take several times as long as a fast one.
    testTimeout: 90_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 10_000 } },
    pool: "forks",
    // Two cores: a file often waits for a process or a time-out.
    maxWorkers: 3,
    // Loading the modules anew for each file takes more time than the tests do.
    isolate: false,
    setupFiles: ["testing/unit/new-process.ts"],
    reporters: counts
      ? ["default", ["./server/test/vitest-reporter.mjs", { outputFile: counts }]]
      : ["default"],
  },
});

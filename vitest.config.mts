import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workInMemory } from "./testing/unit/temporary-folder";

workInMemory();

const isWhole = process.env.TEST_EXTENT === "whole";
/** Kills, upgrades, clusters: `npm test` runs them only when one is named. */
const excluded =
  isWhole || process.argv.some((word) => word.includes(".whole.")) ? [] : ["**/*.whole.test.ts"];

/** The file in which `npm test` expects the counts. */
const counts = process.env.VITEST_COUNTS;

const folders = ["lib", "server", "cli", "app", "components", "e2e", "testing", "tools"];
/** A cached module knows the files that it imports: others may be meant once one comes or goes. */
const names = hash(
  "sha256",
  folders.flatMap((one) => readdirSync(one, { recursive: true, encoding: "utf8" })).join(),
);

export default defineConfig({
  plugins: [
    {
      name: "cached-modules",
      // What the run's own process takes from the cache has no readable stack in its errors.
      configureVitest: ({ experimental_defineCacheKeyGenerator: define }) =>
        define(({ environment }) => (environment.name === "__vitest__" ? false : names)),
    },
  ],
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: [`{${folders}}/**/*.test.{ts,tsx}`],
    exclude: excluded,
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
    // To transform them takes 40 s of processor time: what has not changed since the last run is kept.
    experimental: { fsModuleCache: true },
    setupFiles: ["testing/unit/new-process.ts"],
    reporters: counts
      ? ["default", ["./server/test/vitest-reporter.mjs", { outputFile: counts }]]
      : ["default"],
  },
});

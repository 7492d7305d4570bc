import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { installedChromium } from "./server/test/find-chromium.mjs";
import { isCore, isWhole } from "./testing/extent/extent";
import { workInMemory } from "./testing/unit/temporary-folder";

// Where this process keeps what it has transformed: its workers would transform all of it again.
process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ??= join(
  tmpdir(),
  `playwright-transform-cache-${process.geteuid?.()}`,
);
workInMemory();

const MINUTE = 60_000;

export default defineConfig({
  testDir: "e2e",
  // Tests of the tools in this folder are run by Vitest.
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve-product.ts",
  // A test takes up to a minute on two idle cores, and several times as long on a slow machine. No test here measures time.
  // The whole has tests that visit every page at every width.
  timeout: (isWhole ? 40 : 6) * MINUTE,
  expect: { timeout: 20_000 },
  // Beside the unit tests in `npm test`, which are more.
  workers: isCore ? 1 : 2,
  // What passes only when it is tried again is named by `npm test`, and fails in the whole.
  retries: isWhole ? 0 : 1,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  // Tests run at the size of a desktop, and those tagged @phone at that of a phone too. `npm test`
  // runs those tagged @core, each at one size: at a phone's if it has both tags.
  projects: [
    { name: "desktop", ...(isCore && { grep: /@core/, grepInvert: /@phone/ }) },
    {
      name: "phone",
      grep: isCore ? /(?=.*@core)(?=.*@phone)/ : /@phone/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
  use: {
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    // Motion is drawn frame by frame by the processor that the product needs too. Tests of motion
    // ask for it.
    contextOptions: { reducedMotion: "reduce" },
    // A trace costs more than the test itself, so only a retry records one.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: installedChromium() ?? "/usr/bin/chromium",
      args: [
        "--disable-gpu",
        "--disable-background-networking",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
});

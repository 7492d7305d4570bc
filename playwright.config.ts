import { defineConfig } from "@playwright/test";

const MINUTE = 60_000;

export default defineConfig({
  testDir: "e2e",
  // Tests of the tools in this folder are run by Vitest.
  testMatch: "**/*.spec.ts",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve-product.ts",
  // A test takes up to a minute on two idle cores, and several times as long on a slow machine. No test here measures time.
  timeout: 6 * MINUTE,
  expect: { timeout: 20_000 },
  workers: 2,
  // A browser on a busy machine may fail occasionally. The last lines name every test that needed a
  // retry.
  retries: 1,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  // Every test runs at desktop and phone size; `walk` sets its own sizes. A test tagged
  // @any-size does not depend on the layout, so it runs once.
  projects: [
    { name: "desktop" },
    {
      name: "phone",
      grepInvert: /@any-size/,
      testMatch:
        /(charts|docs|journey|playground|prices|settings|sign-in|studio|tasks|usage)\.spec\.ts/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
  use: {
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    // A trace costs more than the test itself, so only a retry records one.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--disable-gpu",
        "--disable-background-networking",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
});

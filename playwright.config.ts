import { defineConfig } from "@playwright/test";

const MINUTE = 60_000;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/browser",
  globalSetup: "./e2e/serve-product.ts",
  // A journey takes half a minute on two idle cores; nothing here measures time.
  timeout: 2 * MINUTE,
  expect: { timeout: 10_000 },
  workers: 2,
  // A browser on a busy machine may stumble; a test that needed its second try is named in the last lines.
  retries: 1,
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  // What people come to do is done at a desk and on a phone alike; the walk sets its own sizes. What
  // is tagged @any-size does not depend on how a page is laid out: it is done once.
  projects: [
    { name: "desktop" },
    {
      name: "phone",
      grepInvert: /@any-size/,
      testMatch: /(docs|journey|playground|prices|settings|sign-in|studio|tasks|usage)\.spec\.ts/,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true },
    },
  ],
  use: {
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    // A trace of every test costs more than the test: the second try has one.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: ["--disable-gpu", "--disable-background-networking", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    },
  },
});

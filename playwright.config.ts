import { defineConfig } from "@playwright/test";
import { isWhole } from "./testing/extent/extent";

const MINUTE = 60_000;
/** Tests of `npm run test:whole` only: they show at another size or in another language what others show too. */
const wholeOnly = isWhole ? [] : [/@whole/];

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
  // Tests run at desktop size, and in the files named here at phone size too: in `npm test` those
  // tagged @phone, in `npm run test:whole` all but those tagged @any-size, whose layout does not
  // matter. `walk` sets its own sizes.
  projects: [
    { name: "desktop", grepInvert: wholeOnly },
    {
      name: "phone",
      grep: isWhole ? /./ : /@phone/,
      grepInvert: [/@any-size/, ...wholeOnly],
      testMatch:
        /(charts|docs|journey|playground|prices|settings|sign-in|studio|tasks|usage)\.spec\.ts/,
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
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--disable-gpu",
        "--disable-background-networking",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      ],
    },
  },
});

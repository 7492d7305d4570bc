/**
 * `npm run measure:pages`: measures weight and speed of the built pages on this machine. Exit code
 * 1 when a limit is exceeded.
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { installedChromium } from "../server/test/find-chromium.mjs";
import { sizes } from "./fine";
import { type PageWeight, weighedPages, weighPage } from "./page-weight";
import { newEmail, password } from "./product";
import { type Served, serveInstance } from "./serve-product";

const ROUNDS = 3;
const bounds = { largestPaintMs: 1500, layoutShift: 0.001, scriptBytes: 200_000 };
const signedInPages = ["/playground", "/playground/video", "/overview", "/points", "/usage"];

async function signedInState(browser: Browser, { address, variables }: Served) {
  const email = newEmail();
  // As a process of its own: bundled into this program, the command would not find its migrations.
  const words = ["account", "create", "--email", email, "--password", password, "--points", "1000"];
  await promisify(execFile)(process.execPath, ["cli/relay.mjs", ...words], {
    env: { ...process.env, ...variables },
  });
  const page = await browser.newPage();
  await page.goto(`${address}/login`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/(overview|points)/);
  const state = await page.context().storageState();
  await page.close();
  return state;
}

/** The median of a few rounds by largest contentful paint. */
async function measure(
  browser: Browser,
  url: string,
  context: Parameters<Browser["newContext"]>[0],
): Promise<PageWeight> {
  const rounds: PageWeight[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = await browser.newContext(context);
    rounds.push(await weighPage(await fresh.newPage(), url));
    await fresh.close();
  }
  return rounds.sort((a, b) => a.largestPaintMs - b.largestPaintMs)[
    Math.floor(ROUNDS / 2)
  ] as PageWeight;
}

function line(
  path: string,
  size: string,
  weight: PageWeight,
  isPublic: boolean,
): { text: string; isWithin: boolean } {
  const { largestPaintMs, layoutShift, scriptBytes, allScriptBytes, otherBytes } = weight;
  const isWithin =
    largestPaintMs < bounds.largestPaintMs &&
    layoutShift <= bounds.layoutShift &&
    (!isPublic || scriptBytes < bounds.scriptBytes);
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`.padStart(8);
  const text = `${isWithin ? "✓" : "✗"} ${path.padEnd(24)} ${size.padEnd(8)} ${largestPaintMs.toFixed(0).padStart(5)} ms ${layoutShift.toFixed(4).padStart(8)}${kilobytes(scriptBytes)}${kilobytes(allScriptBytes)}${kilobytes(otherBytes)}`;
  return { text, isWithin };
}

// On an embedded database, as a new installation has it.
const served = await serveInstance("measured", {}, {});
const browser = await chromium.launch({
  executablePath: installedChromium() ?? "/usr/bin/chromium",
  args: ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
});
let broken = 0;
try {
  const storageState = await signedInState(browser, served);
  console.log(
    "  page                     size        paint    shift  scripts  all of them   other",
  );
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const [pages, state] of [
      [weighedPages, undefined],
      [signedInPages, storageState],
    ] as const) {
      for (const path of pages) {
        const { text, isWithin } = line(
          path,
          size,
          await measure(browser, served.address + path, {
            viewport,
            ...(state && { storageState: state }),
          }),
          !state,
        );
        if (!isWithin) broken++;
        console.log(text);
      }
    }
  }
} finally {
  await browser.close();
  await served.stop();
}
console.log(broken === 0 ? "All within bounds." : `${broken} out of bounds.`);
process.exitCode = broken === 0 ? 0 : 1;

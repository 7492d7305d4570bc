import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { extent, isCore } from "@/testing/extent/extent";
import { expect } from "./product";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

const steps = (from: number, to: number, by: number) =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, at) => from + at * by);

/** Widths from a small phone to a wide screen: all of them, or those at which tables are narrowest. */
export const widths = extent([320, 360, 720, 820, 960, 1024], steps(320, 1920, 20));

/** Waits until the page's fonts and data are there, and React has taken over what it shows. */
export async function isReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const shown = document.querySelector("main") ?? document.body;
    const isAlive = Object.keys(shown).some((key) => key.startsWith("__react"));
    const isWaiting = document.querySelector("span.animate-pulse-soft, main[aria-busy=true]");
    return (
      isAlive &&
      !isWaiting &&
      document.readyState === "complete" &&
      document.fonts.status === "loaded"
    );
  });
}

/**
 * Waits for what fades or moves in, and for colours on their way to another theme. What moves
 * without an end is left out.
 */
const endOfMotion = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const running = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime),
      );
    await Promise.allSettled(running.map(({ finished }) => finished));
  });

/** Rows that repeat those before them. In the core, axe leaves them out. */
const repeated = ["tbody > tr:nth-child(n + 6)", "dl > div:nth-child(n + 6)"];

/**
 * What axe finds in one run. The library is loaded once per document, and only the violations leave
 * the page: naming every element that passed takes longer than the rules.
 */
async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  expect(page.frames(), "axe looks at one document").toHaveLength(1);
  await endOfMotion(page);
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axeSource);
  const look = async ({ only, exclude }: { only: string[] | undefined; exclude: string[] }) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run(
      { exclude },
      { resultTypes: ["violations"], preload: false, ...(only && { runOnly: only }) },
    );
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
    );
  };
  return page.evaluate(look, { only: rules, exclude: isCore ? repeated : [] });
}

/** Sets the page's theme to `theme` where the page names one; the API reference has its own. */
async function changeTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  const other = theme === "light" ? "dark" : "light";
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator(`html[data-theme="${other}"]`)).toHaveCount(0);
}

const colourRules = ["color-contrast", "link-in-text-block"];

let looks = 0;

/**
 * Asserts that axe finds no violation, that there is a title, and that nothing scrolls sideways.
 * All rules run in the light theme in the page's size. The colour rules run in the dark theme too:
 * on a desktop for every page, on a phone where `isPhoneOwn` says that the phone has parts of its
 * own. In the core all rules run once, and every other time in the dark.
 */
export async function assertAccessible(page: Page, what: string, { isPhoneOwn = false } = {}) {
  await isReady(page);
  await expect(page, `${what} has a title`).toHaveTitle(/./);
  const isDesk = page.viewportSize()?.width === sizes.desktop.width;
  if (!isCore && (isDesk || isPhoneOwn)) {
    await changeTheme(page, "dark");
    expect(await axeViolations(page, colourRules), `${what} in the dark`).toEqual([]);
  }
  const theme = isCore && looks++ % 2 === 1 ? "dark" : "light";
  await changeTheme(page, theme);
  expect(await axeViolations(page), `${what}, ${theme}`).toEqual([]);
  await assertFits(page, what);
}

/** The same within a journey. In the core, axe looks at the pages of the walks alone. */
export const assertFine: typeof assertAccessible = async (page, what, size) =>
  isCore ? undefined : assertAccessible(page, what, size);

/** What axe finds within a journey. */
export const violationsOf = async (page: Page): Promise<string[]> =>
  isCore ? [] : axeViolations(page);

export async function assertFits(page: Page, what: string) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Asserts that no table is wider than its card, and no name in one so narrow that its words are broken. */
export async function assertTablesFit(page: Page, what: string) {
  const bad = await page.evaluate(() => {
    const shown = [...document.querySelectorAll("table")].filter(
      (table) => getComputedStyle(table).display === "table",
    );
    return shown.flatMap((table) => {
      const name = table.getAttribute("aria-labelledby") ?? "a table";
      const room = table.parentElement?.clientWidth ?? 0;
      const narrow = [...table.querySelectorAll("tbody tr > :first-child")].filter(
        (cell) => cell.clientWidth < 120,
      );
      return [
        ...(table.scrollWidth > room + 1 ? [`${name}: ${table.scrollWidth} in ${room}`] : []),
        ...narrow.map((cell) => `${name}: ${cell.textContent} in ${cell.clientWidth}`),
      ];
    });
  });
  expect(bad, what).toEqual([]);
}

/** For pages that fill the window and whose parts scroll. */
export async function assertDoesNotScroll(page: Page): Promise<void> {
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollHeight - document.documentElement.clientHeight,
  );
  expect(scrolls, "the page scrolls into blank space").toBeLessThanOrEqual(0);
}

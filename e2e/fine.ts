import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "./product";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** At a desk and on a phone. */
export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * What axe finds. The library is loaded once per document, and only the violations leave the page:
 * to name every element that passed takes longer than the rules do.
 */
export async function violationsOf(page: Page, rules?: string[]): Promise<string[]> {
  expect(page.frames(), "axe looks at one document").toHaveLength(1);
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await run({
      resultTypes: ["violations"],
      ...(only && { runOnly: only }),
    });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
    );
  }, rules);
}

/** Where the page names its theme it is `theme`'s; the API reference brings its own. */
async function changeTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  const other = theme === "light" ? "dark" : "light";
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator(`html[data-theme="${other}"]`)).toHaveCount(0);
}

const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * No fault that axe can decide, a title, and nothing that scrolls sideways. All rules run in the
 * light theme in the size that the page has. The rules on colours run in the dark theme too: at a
 * desk on every page, on a phone where `isPhoneOwn` says that a phone shows parts of its own.
 */
export async function assertFine(page: Page, what: string, { isPhoneOwn = false } = {}) {
  await page.waitForLoadState("networkidle");
  await expect(page, `${what} has a title`).toHaveTitle(/./);
  const isDesk = page.viewportSize()?.width === sizes.desktop.width;
  if (isDesk || isPhoneOwn) {
    await changeTheme(page, "dark");
    expect(await violationsOf(page, colourRules), `${what} in the dark`).toEqual([]);
  }
  await changeTheme(page, "light");
  expect(await violationsOf(page), what).toEqual([]);
  await assertFits(page, what);
}

export async function assertFits(page: Page, what: string) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}

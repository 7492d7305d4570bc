import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./product";

/** At a desk and on a phone. */
export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** Where the page names its theme it is `theme`'s; the API reference brings its own. */
async function assertTheme(page: Page, theme: "light" | "dark", rules?: string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator(`html[data-theme="${theme === "light" ? "dark" : "light"}"]`)).toHaveCount(0);
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(
    ({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
  );
}

/** No fault that axe can decide in either theme, a title, and nothing that scrolls sideways. */
export async function assertFine(page: Page, what: string) {
  await page.waitForLoadState("networkidle");
  await expect(page, `${what} has a title`).toHaveTitle(/./);
  const dark = await assertTheme(page, "dark", ["color-contrast", "link-in-text-block"]);
  expect([...dark, ...(await assertTheme(page, "light"))], what).toEqual([]);
  await assertFits(page, what);
}

export async function assertFits(page: Page, what: string) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}

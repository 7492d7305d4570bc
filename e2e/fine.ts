import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./product";

/** At a desk and on a phone. */
export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** No fault that axe can decide, a title, and nothing that scrolls sideways. */
export async function assertFine(page: Page, what: string) {
  await page.waitForLoadState("networkidle");
  await expect(page, `${what} has a title`).toHaveTitle(/./);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
  );
  expect(found, what).toEqual([]);
  await assertFits(page, what);
}

export async function assertFits(page: Page, what: string) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}

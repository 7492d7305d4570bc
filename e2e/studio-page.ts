import type { Locator, Page } from "@playwright/test";
import { expect, signInAnew } from "./product";

/** Opens a part of the studio with an account of its own. */
export async function openStudio(page: Page, kind: "video" | "image"): Promise<Locator> {
  await signInAnew(page);
  await page.goto(`/playground/${kind}`);
  await expect(page.getByRole("link", { name: /available/ })).toContainText(/\d/, {
    timeout: 20_000,
  });
  return page.getByLabel("Prompt");
}

export const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 1024;

/** Does something with the fields, which a phone has behind a button. */
export async function withFields(
  page: Page,
  act: (fields: Page | Locator) => Promise<void>,
): Promise<void> {
  if (!isPhone(page)) return act(page);
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Settings" });
  await act(sheet);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
}

/** What the form will cost. */
export const quotedIn = (page: Page) => page.getByText("This will cost").locator("..");

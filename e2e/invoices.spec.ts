/** Receipts, billing details and invoices, in a browser, on an instance that takes payments. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { lookAt, payingInstance } from "./paying-instance";
import { beginSession, expect, newEmail, password, pointsPageIsAlive } from "./product";

const { test, relay } = payingInstance("invoices");

const card = (page: Page) =>
  page.getByRole("region", { name: /Invoices and billing details|月结单与开票信息/ });

/** The file that a link saves. */
async function saved(page: Page, link: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: link, exact: true }).click(),
  ]);
  return readFileSync(await download.path());
}

test("a buyer saves billing details, and the receipt names both parties, on the page and as PDF", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const terms = ["--name", "Small", "--points", "500", "--amount", "999", "--currency", "eur"];
  await relay("package", "create", ...terms);
  await relay("setting", "set", "--name", "seller_name", "--value", "中继 Relay Ltd.");
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password);
  await beginSession(page, email);
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await expect(card(page)).toContainText("No billing details yet");
  await page.getByRole("button", { name: "Buy Small for €9.99" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText("500.00 points were added")).toBeVisible({ timeout: 20_000 });

  await card(page).getByRole("button", { name: "Add billing details" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("1 to 200 characters.")).toBeVisible();
  await dialog.getByLabel("Company or name").fill("Żółta Łódź GmbH");
  await dialog.getByLabel("Address").fill("Große Straße 1, Köln");
  await dialog.getByLabel("Tax number").fill("DE 123");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(card(page)).toContainText("Żółta Łódź GmbH · Große Straße 1, Köln · DE 123");
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await lookAt(page, "invoices-points");

  await page.getByRole("link", { name: /^Receipt/ }).click();
  await expect(page.getByText("中继 Relay Ltd.")).toBeVisible();
  await expect(page.getByText("Tax number: DE 123")).toBeVisible();
  expect((await saved(page, "PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  await lookAt(page, "invoices-receipt");
});

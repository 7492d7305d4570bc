/** Receipts, billing details and invoices, in a browser, on an instance that takes payments. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { InvoiceFigures } from "@/lib/contract/invoices";
import { lookAt } from "./look";
import { payingInstance } from "./paying-instance";
import { beginSession, expect, newEmail, password, pointsPageIsAlive } from "./product";

const { test, relay, insert } = payingInstance("invoices");

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

const figures = (name: string, charges: string, amount: number): InvoiceFigures => ({
  version: 1,
  seller: { name: "Relay Ltd.", address: "", taxNumber: "" },
  buyer: { name, address: "Street 1", taxNumber: "" },
  opening: charges,
  credits: "0.000000",
  takenBack: "0.000000",
  charges,
  closing: "0.000000",
  models: [{ model: "relay-v1", requests: 3, points: charges }],
  entries: [],
  payments: [],
  morePayments: 0,
  refunds: [],
  sums: amount === 0 ? [] : [{ amount, currency: "eur" }],
});

test("an operator finds invoices of all accounts by name, number and month, and saves one as PDF", async ({
  page,
}) => {
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password, "--operator");
  await beginSession(page, email);
  await page.goto("/admin/invoices");
  await expect(page.getByText("No invoices yet.")).toBeVisible();
  const names = ["Ada Films", "Bo & Köln-Ehrenfelder-Filmproduktionsgesellschaft mbH", "Cy 工作室"];
  for (const [at, name] of names.entries()) {
    const own = newEmail();
    const words = ["account", "create", "--email", own, "--password", password];
    const { account } = await relay<{ account: { id: string } }>(...words);
    const put = `insert into invoice (id, account_id, month, figures, number) values ($1, $2, $3, $4, 0)`;
    const of = figures(name, `${12_345_678 * at + 5}.250000`, 999 * at);
    for (const month of ["2026-09-01", "2026-10-01"])
      await insert(put, [`inv_${at}${month.slice(5, 7)}`, account.id, month, JSON.stringify(of)]);
  }
  await page.reload();
  const rows = page.getByRole("region", { name: "All invoices" }).getByRole("row");
  await expect(rows).toHaveCount(7);
  await lookAt(page, "invoices-operator", () =>
    expect(page.getByText("Ada Films").first()).toBeVisible(),
  );
  await page.getByLabel("Month", { exact: true }).selectOption("2026-10");
  await expect(page.getByRole("region", { name: "October 2026" }).getByRole("row")).toHaveCount(4);
  await expect(page.getByRole("definition").first()).toHaveText("3");
  await lookAt(page, "invoices-month", () =>
    expect(page.getByRole("definition").first()).toBeVisible(),
  );
  await page.getByLabel("Number, email address, name or account id").fill("bo &");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "October 2026" }).getByRole("row")).toHaveCount(2);
  expect((await saved(page, "Invoice 4 as PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  await page.getByLabel("Number, email address, name or account id").fill("nobody");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No invoice matches.")).toBeVisible();
});

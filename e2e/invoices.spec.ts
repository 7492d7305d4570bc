/** Receipts, billing details and invoices, in a browser, on an instance that takes payments. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { STRIPE_EVENTS_PATH } from "@/lib/contract/page-paths";
import { runInProcess } from "@/testing/cli/commands";
import { startTestStripe } from "@/testing/topup/stripe";
import { assertFine, sizes } from "./fine";
import { assertChinese } from "./language";
import {
  test as base,
  beginSession,
  expect,
  newEmail,
  password,
  pointsPageIsAlive,
} from "./product";
import { type Served, serveInstance } from "./serve-product";

let served: Served;
let stripe: Readonly<Record<string, string>>;
const test = base.extend<object, { instance: Served }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => {
      const fake = await startTestStripe();
      stripe = {
        STRIPE_SECRET_KEY: fake.stripe.secretKey,
        STRIPE_WEBHOOK_SECRET: fake.stripe.webhookSecret,
        STRIPE_API_BASE: fake.stripe.apiBase,
      };
      served = await serveInstance("invoices", stripe);
      fake.state.webhookUrl = `${served.address}${STRIPE_EVENTS_PATH}`;
      await use(served);
      await served.stop();
      await fake.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ instance }, use) => use(instance.address),
});

async function relay(...words: string[]) {
  const environment = { ...process.env, ...stripe, RELAY_DATA_DIR: served.dataFolder };
  const { code, out, err } = await runInProcess([...words, "--json"], { environment });
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

const card = (page: Page) =>
  page.getByRole("region", { name: /Invoices and billing details|月结单与开票信息/ });

/** Checks what is open in both languages, sizes and themes. */
async function look(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const language of ["zh-CN", "en"]) {
    await page
      .context()
      .addCookies([{ name: "relay_locale", value: language, url: served.address }]);
    await page.reload();
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      await assertFine(page, `${name} in ${language} on a ${size}`, { isPhoneOwn: true });
      if (language === "zh-CN") await assertChinese(page, name);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const path = `test-results/invoices-${name}-${language}-${size}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
}

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
  await look(page, "points");

  await page.getByRole("link", { name: /^Receipt/ }).click();
  await expect(page.getByText("中继 Relay Ltd.")).toBeVisible();
  await expect(page.getByText("Tax number: DE 123")).toBeVisible();
  expect((await saved(page, "PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  await look(page, "receipt");
});

import type { Page } from "@playwright/test";
import { letTheDayEnd } from "./midnight";
import { chat, createKey, expect, openKeys, test } from "./product";

const ZONE = "Asia/Tokyo";

async function setBudget(page: Page, name: string, points: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Change limits" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Points a day").fill(points);
  await dialog.getByLabel("Time zone").fill(ZONE);
  await dialog.getByRole("button", { name: "Save" }).click();
}

const timeIn = (zone: string, seconds: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }).format(seconds * 1000);

test("a key's budget of a day is spent, is refused until midnight in its zone, and is whole again then", async ({
  page,
  baseURL,
}) => {
  const email = await openKeys(page);
  const key = await createKey(page, "daily");
  await page.getByRole("button", { name: "I saved it" }).click();
  await setBudget(page, "daily", "0.5");
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: "Actions for daily" }) });
  await expect(row).toContainText("0.00 of 0.50 points today");

  const status = async () => (await chat(baseURL, key, "Say hello.")).status;
  await expect.poll(status, { timeout: 60_000, intervals: [10] }).not.toBe(200);
  const { error } = await (await chat(baseURL, key, "Say hello.")).json();
  expect(error).toMatchObject({ code: "key_budget_exhausted", period: "day" });
  expect(timeIn(ZONE, error.renews_at)).toBe("00:00:00");
  expect(error.renews_at * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000);
  await page.reload();
  await expect(row).toContainText(/0\.[1-5]\d* of 0\.50 points today/);

  await letTheDayEnd(email);
  await page.reload();
  await expect(row).toContainText("0.00 of 0.50 points today");
  expect(await status()).toBe(200);
});

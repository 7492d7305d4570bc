/** A price by the length of the input and the time of day: entered in the table, shown to customers, and calculated. */
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { fillRates, signIn, type Typed, test } from "./models-desk";
import { expect } from "./product";

const rates: readonly Typed[] = [
  { unit: "input_token", points: "2" },
  { unit: "input_token", points: "4", from: "200,001" },
  { unit: "output_token", points: "10" },
  { unit: "output_token", points: "5", hours: "16:30-00:30" },
];

test("rates by length and hours are entered in the table, shown and calculated", async ({
  page,
  site,
  allowStatus,
}) => {
  test.slow();
  allowStatus(400);
  await page.setViewportSize(sizes.desktop);
  await signIn(page, site, "/admin/models?new");
  await page.getByLabel("Identifier").fill("acme-long");
  await page.getByLabel("Longest answer, in tokens").fill("1000");
  await fillRates(page, [...rates.slice(0, 3), { ...rates[3], hours: "16:30" } as Typed]);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText(/hours/).last()).toBeVisible();
  await fillRates(page, rates);
  await assertFine(page, "rates by length and hours");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByRole("heading", { name: "acme-long", level: 1 })).toBeVisible();
  const preview = page.getByRole("region", { name: "As customers will see it" });
  await expect(preview).toContainText("4 in · from 200,001 input tokens");
  await expect(preview).toContainText("5 out · 16:30–00:30 UTC");
  await page.getByRole("button", { name: "Offer", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Why offer it all the same").fill("Its channel comes tonight.");
  await dialog.getByRole("button", { name: "Offer", exact: true }).click();
  await expect(page.getByText("on offer", { exact: true }).first()).toBeVisible();

  await expect(async () => {
    await page.goto("/pricing");
    await expect(page.getByRole("table", { name: "Price list" })).toContainText("acme-long");
  }).toPass({ timeout: 20_000 });
  await expect(page.getByRole("row", { name: /acme-long/ })).toContainText("16:30–00:30 UTC");
  const calculator = page.getByRole("region", { name: "What will it cost?" });
  await expect(calculator.getByLabel("Time of day (UTC)")).toHaveCount(0);
  await calculator.getByLabel("Model").selectOption("acme-long");
  await calculator.getByLabel("Tokens in").fill("200001");
  await calculator.getByLabel("Tokens out").fill("1000000");
  await calculator.getByLabel("Time of day (UTC)").fill("16:29");
  await expect(calculator).toContainText("10.800004");
  await calculator.getByLabel("Time of day (UTC)").fill("00:29");
  await expect(calculator).toContainText("5.800004");
  await calculator.getByLabel("Tokens in").fill("200000");
  await expect(calculator).toContainText("5.400000");
  await assertFine(page, "the calculator of a price by length and hours");
  await inLanguage(page, "zh-CN", site.processes[0].address);
  await page.reload();
  await assertChinese(page, "the price list");
});

import { builtInModels as models } from "@/lib/catalog/built-in";
import { expect, relayCommand, signInAnew, test } from "./product";

test("the price list is complete without a session: every model, no NaN, no undefined", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  await page.goto("/pricing");
  const table = page.getByRole("table", { name: "Price list" });
  for (const { id, alias } of models) {
    const row = table.getByRole("row").filter({ has: page.getByText(id, { exact: true }) });
    await expect(row).toContainText(alias);
    await expect(row).toContainText(/\d/);
  }
  await expect(page.getByText(/^Last changed/)).toBeVisible();
  expect(await page.getByRole("main").textContent()).not.toMatch(/NaN|undefined|null|\[object/);
  await expect(table.getByRole("columnheader", { name: "Your price" })).toHaveCount(0);
});

test("a typical request costs what the specification's examples say", async ({ page }) => {
  await page.goto("/pricing");
  const rowOf = (id: string) =>
    page.getByRole("row").filter({ has: page.getByText(id, { exact: true }) });
  await expect(rowOf("RelayV1")).toContainText("0.88");
  await expect(rowOf("Super-Relay2.0")).toContainText("500.94");
  await expect(rowOf("Super-Relay-Image")).toContainText("19.99");
});

test("the calculator uses the function that computes charges, in every family", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  await page.goto("/pricing");
  const calculator = page.getByRole("region", { name: "What will it cost?" });
  await calculator.getByLabel("Tokens in").fill("1000000");
  await calculator.getByLabel("Tokens out").fill("1");
  await expect(calculator).toContainText("80.000800");
  await calculator.getByLabel("Tokens out").fill("-1");
  await expect(calculator).toContainText("A whole number.");

  await calculator.getByText("Video", { exact: true }).click();
  await calculator.getByLabel("Model").selectOption("Super-Relay2.0");
  await calculator.getByRole("slider", { name: "Duration" }).fill("10");
  await expect(calculator).toContainText("997.740000");
  await calculator.getByLabel("Model").selectOption("Super-Relay2.5");
  await expect(calculator.getByRole("radio", { name: /1080p/ })).toBeDisabled();

  await calculator.getByText("Image", { exact: true }).click();
  await expect(calculator).toContainText("19.988480");
  await calculator.getByLabel("Width").fill("1024");
  await calculator.getByLabel("Height").fill("1024");
  await expect(calculator).toContainText("4.997120");
});

test("signed in, the price list also shows the account's own prices", { tag: "@phone" }, async ({
  page,
}) => {
  const email = await signInAnew(page);
  await relayCommand("account", "multiplier", "--email", email, "--value", "0.85");
  await page.goto("/pricing");
  const row = page
    .getByRole("row")
    .filter({ has: page.getByText("Super-Relay2.0", { exact: true }) });
  await expect(row).toContainText("4,600");
  await expect(row).toContainText("3,910");
  await expect(row).toContainText("425.80");
  await page.goto("/points");
  await expect(page.getByRole("region", { name: "Your price" })).toContainText(
    "× 0.85 of the list",
  );
});

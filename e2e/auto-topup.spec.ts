/** Automatic top-up through its failures, in a browser, on an instance that takes payments. */
import type { Page } from "@playwright/test";
import { lookAt } from "./look";
import { payingInstance, prove } from "./paying-instance";
import {
  beginSession,
  expect,
  forgetSession,
  newEmail,
  password,
  pointsPageIsAlive,
} from "./product";

const { test, relay } = payingInstance("auto-topup");

const card = (page: Page) => page.getByRole("region", { name: /Automatic top-up|自动充值/ });

const look = (page: Page, name: string) =>
  lookAt(page, `auto-topup-${name}`, () =>
    expect(card(page).getByRole("button").first()).toBeVisible(),
  );

/** A person with a saved card, and automatic top-up below 100 points. */
async function personWith(page: Page, button: string) {
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password);
  await beginSession(page, email);
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await card(page).getByRole("button", { name: "Save a card" }).click();
  await prove(page);
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect(card(page)).toContainText("off");
  await card(page).getByRole("button", { name: "Turn on" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Below how many points").fill("700");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByText("at most the package’s 500")).toBeVisible();
  await dialog.getByLabel("Below how many points").fill("100");
  await dialog.getByLabel("Most a month").fill("15");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await prove(page);
  await expect(card(page)).toContainText("Below 100.00 points, Small is bought");
  return email;
}

/** Leaves an account with 5 points, and does what the processes do each minute. */
async function fall(email: string): Promise<void> {
  const credit = ["--email", email, "--points", "-995", "--reason", "test"];
  await relay("account", "credit", ...credit);
  await relay("auto-topup", "sweep");
}

test("a card is charged when the points run low, asks for its person, or is declined; nothing is bought twice", async ({
  page,
}) => {
  const terms = ["--name", "Small", "--points", "500", "--amount", "999", "--currency", "eur"];
  await relay("package", "create", ...terms);
  await test.step("a good card", async () => {
    const email = await personWith(page, "Pay");
    await look(page, "on");
    await fall(email);
    await expect(async () => {
      await page.reload();
      await expect(card(page)).toContainText("€9.99 of at most €15.00", { timeout: 8000 });
    }).toPass({ timeout: 60_000 });
    await expect(card(page)).toContainText("month’s most reached");
    await expect(page.getByRole("region", { name: "Available points" })).toContainText("505");
    await relay("auto-topup", "sweep");
    await page.reload();
    await expect(page.getByRole("row", { name: /Small.*paid/ })).toHaveCount(1);
    await look(page, "charged");
    await card(page).getByRole("button", { name: "Turn off" }).click();
    await expect(card(page).getByRole("button", { name: "Turn on" })).toBeVisible();
    await card(page).getByRole("button", { name: "Remove the card" }).click();
    await expect(card(page)).toContainText("no card");
    await look(page, "no-card");
  });
  await test.step("a bank that wants the person", async () => {
    await forgetSession(page);
    await fall(await personWith(page, "Use a card that asks"));
    await expect(async () => {
      await page.reload();
      await expect(card(page)).toContainText("Your bank wants you", { timeout: 8000 });
    }).toPass({ timeout: 60_000 });
    await look(page, "asks");
    await page.goto("/notifications");
    await expect(page.getByText("Automatic top-up is paused").first()).toBeVisible();
    await page.goto("/points");
    await card(page).getByRole("button", { name: "Confirm with your bank" }).click();
    await prove(page);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page.getByText("500.00 points were added")).toBeVisible({ timeout: 20_000 });
    await expect(card(page)).toContainText("ending in 4242", { timeout: 20_000 });
    await expect(card(page)).not.toContainText("Your bank wants you");
  });
  await test.step("a card without money", async () => {
    await forgetSession(page);
    await fall(await personWith(page, "Use a card without money"));
    await relay("auto-topup", "sweep");
    await expect(async () => {
      await page.reload();
      await expect(card(page)).toContainText("tried again tomorrow", { timeout: 8000 });
    }).toPass({ timeout: 60_000 });
    await expect(page.getByRole("row", { name: /Small.*failed/ })).toHaveCount(1);
    await look(page, "declined");
  });
  expect(await relay("ledger", "audit")).toMatchObject({ ok: true });
});

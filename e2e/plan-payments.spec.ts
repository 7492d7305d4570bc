/** A plan that is paid by card, in a browser: bought, renewed, not paid, paid, changed and cancelled. */
import type { Page } from "@playwright/test";
import { lookAt } from "./look";
import { payingInstance, prove } from "./paying-instance";
import { beginSession, expect, newEmail, password, pointsPageIsAlive } from "./product";

const { test, relay, insert } = payingInstance("plan-payments");

const card = (page: Page) => page.getByRole("region", { name: /^(Plan|订阅)$/ });

const look = (page: Page, name: string) =>
  lookAt(page, `plan-payments-${name}`, () =>
    expect(card(page).getByRole("button").first()).toBeVisible(),
  );

/** As if the period ended in so many minutes; then what the processes do each minute. */
async function endIn(minutes: number): Promise<void> {
  await insert(
    `update account_plan set anchor_at = anchor_at + d.by, period_starts_at = period_starts_at + d.by, period_ends_at = period_ends_at + d.by
       from (select id, now() + $1 * interval '1 minute' - period_ends_at as by from account_plan) d where d.id = account_plan.id`,
    [minutes],
  );
  await relay("auto-topup", "sweep");
}

/** Reloads the page until the card says so. */
async function says(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(card(page)).toContainText(text, { timeout: 8000 });
  }).toPass({ timeout: 60_000 });
}

test("a plan is bought by card and renewed; the bank asks, the person pays, changes the plan and cancels", async ({
  page,
}) => {
  const sold = ["--period", "month", "--currency", "eur", "--is-offered", "yes"];
  await relay("plan", "create", "--name", "Small", "--points", "250", "--amount", "900", ...sold);
  await relay("plan", "create", "--name", "Large", "--points", "900", "--amount", "2900", ...sold);
  const atOnce = ["--advance-periods", "12", "--advance-amount", "9900"];
  const months = ["--name", "Months", "--points", "250", "--amount", "900"];
  await relay("plan", "create", ...months, ...sold, ...atOnce);
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password);
  await beginSession(page, email);
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await look(page, "none");
  await test.step("bought", async () => {
    await card(page).getByRole("button", { name: "Buy Small" }).click();
    await prove(page);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page.getByText("a period of Small is paid")).toBeVisible({ timeout: 20_000 });
    await says(page, "€9.00 are charged to your visa ending in 4242");
    await expect(card(page).getByRole("row", { name: /Small/ })).toContainText("250.00");
    await look(page, "bought");
  });
  await test.step("suspended", async () => {
    await relay("account", "suspend", "--email", email, "--reason", "a test");
    await says(page, "No period follows");
    await expect(card(page)).not.toContainText("are charged");
    const paying = card(page).getByRole("button", { name: /^(Use another card|Buy)/ });
    await expect(paying).toHaveCount(0);
    await relay("account", "resume", "--email", email);
    await says(page, "€9.00 are charged");
    await expect(paying.first()).toBeVisible();
  });
  await test.step("renewed", async () => {
    await endIn(30);
    await says(page, "The next period is paid");
    await endIn(-1);
    await says(page, "€9.00 are charged");
    await expect(page.getByRole("row", { name: /Small.*paid/ })).toHaveCount(2);
  });
  await test.step("not paid", async () => {
    await card(page).getByRole("button", { name: "Use another card" }).click();
    await prove(page);
    await page.getByRole("button", { name: "Use a card that asks" }).click();
    await says(page, "ending in 3155");
    await endIn(-1);
    await says(page, "Your bank wants you to confirm the payment of €9.00");
    await look(page, "unpaid");
    await page.goto("/notifications");
    await expect(page.getByText("Your plan is not paid").first()).toBeVisible();
    await page.goto("/points");
    await card(page).getByRole("button", { name: "Pay now" }).click();
    await prove(page);
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page.getByText("a period of Small is paid")).toBeVisible({ timeout: 20_000 });
    await says(page, "€9.00 are charged to your visa ending in 4242");
  });
  await test.step("changed and cancelled", async () => {
    await card(page).getByRole("button", { name: "Change to Large with the next period" }).click();
    await prove(page);
    const offers = card(page).getByRole("region", { name: "Plans" }).getByRole("listitem");
    await expect(offers.filter({ hasText: "Small" })).toContainText("current");
    await expect(offers.filter({ hasText: "Large" })).toContainText("begins on");
    await expect(card(page)).toContainText("€29.00 are charged");
    await look(page, "changes");
    await card(page).getByRole("button", { name: "Cancel the plan" }).click();
    await expect(card(page)).toContainText("It ends on");
    await card(page).getByRole("button", { name: "Keep Small" }).click();
    await expect(card(page)).toContainText("€9.00 are charged");
    await card(page).getByRole("button", { name: "Buy Large" }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await says(page, "€29.00 are charged");
    await expect(card(page).getByRole("row", { name: /Large/ })).toContainText("900.00");
    await card(page).getByRole("button", { name: "Cancel the plan" }).click();
    await expect(card(page)).toContainText("It ends on");
  });
  await test.step("twelve periods at once", async () => {
    await expect(card(page)).toContainText("or 12 periods for €99.00");
    const plan = "Change to Months with the next period (× 12)";
    await card(page).getByRole("button", { name: plan }).click();
    await expect(card(page)).toContainText("€99.00 are charged");
    await endIn(-1);
    await says(page, "The next 11 periods are paid");
    await look(page, "at-once");
  });
  expect(await relay("ledger", "audit")).toMatchObject({ ok: true });
});

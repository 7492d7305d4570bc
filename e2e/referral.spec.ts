/** A referral link, from the link to both sides' points, on an instance that takes payments. */
import type { Page } from "@playwright/test";
import { words } from "@/testing/cli/words";
import { lookAt } from "./look";
import { payingInstance } from "./paying-instance";
import {
  beginSession,
  expect,
  forgetSession,
  newEmail,
  password,
  pointsPageIsAlive,
} from "./product";

const { test, relay } = payingInstance("referral");
const set = (name: string, value: string) =>
  relay("setting", "set", "--name", name, "--value", value);

const card = (page: Page) => page.getByRole("region", { name: /Invite others|邀请他人/ });

test("a user who signed up by a link tops up, and both get points", async ({
  page,
  browser,
  baseURL,
}) => {
  await relay(...words`package create --name Small --points 500 --amount 999 --currency eur`);
  const [referrer, referred] = [newEmail(), newEmail()];
  await relay("account", "create", "--email", referrer, "--password", password, "--points", "100");
  await beginSession(page, referrer);
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await expect(card(page)).toHaveCount(0);
  await set("referral_points", "50");
  await set("referral_days", "0");
  await expect(async () => {
    await page.reload();
    await expect(card(page)).toContainText("50.00 points each", { timeout: 5000 });
  }).toPass();
  await expect(card(page)).toContainText("Nobody has signed up");
  const { pathname, search } = new URL(
    await page.getByLabel("your link", { exact: true }).inputValue(),
  );
  expect(pathname).toBe("/signup");

  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "en-US" });
  const guest = await context.newPage();
  await guest.goto("/signup?ref=0123456789abcdef");
  await expect(guest.getByText("You were invited by a link")).toHaveCount(0);
  await guest.goto(pathname + search);
  await expect(guest.getByText("You were invited by a link")).toContainText("50.00 points each");
  await lookAt(guest, "referral-signup");
  // The browser keeps the code while the visitor looks around.
  await guest.goto("/pricing");
  await guest.goto("/signup");
  await expect(guest.getByText("You were invited by a link")).toBeVisible();
  await guest.getByLabel("Email").fill(referred);
  await guest.getByLabel("Password", { exact: true }).fill(password);
  await guest.getByRole("button", { name: "Create account" }).click();
  await pointsPageIsAlive(guest);
  await expect(card(guest)).toContainText("you get 50.00 points after your first top-up");
  await guest.getByRole("button", { name: "Buy Small for €9.99" }).click();
  await guest.getByRole("button", { name: "Pay" }).click();
  await expect(guest.getByText("500.00 points were added")).toBeVisible({ timeout: 20_000 });

  // Decided once a minute.
  await expect(async () => {
    await guest.goto("/points");
    await expect(card(guest)).toContainText("got 50.00 points for it", { timeout: 5000 });
  }).toPass({ timeout: 100_000 });
  await expect(guest.getByRole("region", { name: "Available points" })).toContainText("1,550");
  await expect(guest.getByRole("row", { name: /Referral/ })).toContainText("+50.00");
  await page.reload();
  await expect(page.getByRole("region", { name: "Available points" })).toContainText("150");
  await expect(card(page)).toContainText("1 person has signed up by your link; 1 counted");
  await expect(card(page).getByRole("listitem")).toContainText("counted");
  expect(await page.content()).not.toContain(referred);
  await lookAt(page, "referral-points");
  await context.close();
  expect(await relay("ledger", "audit")).toMatchObject({ ok: true });
});

test("an operator sets the amounts on the settings page", async ({ page }) => {
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password, "--operator");
  await beginSession(page, email);
  await page.goto("/admin/settings");
  for (const [name, wrong, right] of [
    ["Points of referral links", "-1", "12.5"],
    ["Age of the first top-up", "181", "30"],
    ["Referrals in 30 days", "many", ""],
    ["Referrals in all", "1000000", "7"],
  ] as const) {
    const field = page.getByLabel(name, { exact: true });
    const line = page.getByRole("listitem").filter({ has: field });
    await field.fill(wrong);
    await line.getByRole("button", { name: "Save" }).click();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill(right);
    await line.getByRole("button", { name: "Save" }).click();
    await expect(line.getByText("set here")).toBeVisible();
  }
  await forgetSession(page);
});

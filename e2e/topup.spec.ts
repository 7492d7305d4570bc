import type { Page } from "@playwright/test";
import { isCore } from "@/testing/extent/extent";
import { signedEvent } from "@/testing/topup/stripe";
import { assertFine, sizes } from "./fine";
import { signInAsOperator } from "./operator-desk";
import { onNeighbours } from "./own-instance";
import { expect, forgetSession, openPoints, relayCommand, test } from "./product";

test.describe.configure({ mode: "serial" });
const neighbours = onNeighbours();

/** Checks the page in both sizes. */
async function look(page: Page, name: string): Promise<void> {
  if (isCore) return;
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [size, viewport] of Object.entries(sizes).reverse()) {
    await page.setViewportSize(viewport);
    await assertFine(page, `${name} on a ${size}`);
  }
}

test("a user buys a package and gets the points and a receipt; a refund is shown to user and operator", {
  tag: "@core",
}, async ({ page }) => {
  await signInAsOperator(page, "/admin/packages");
  await page.getByRole("button", { name: "Add a package" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Small");
  await form.getByLabel("Points").fill("500");
  await form.getByLabel("Price").fill("9.99");
  await form.getByLabel("Currency").fill("EUR");
  await form.getByRole("button", { name: "Add a package" }).click();
  await expect(page.getByRole("row", { name: /Small.*€9\.99/ })).toBeVisible();
  await look(page, "packages");

  await forgetSession(page);
  await openPoints(page);
  await look(page, "points");
  for (const next of ["Cancel the payment for Small", "Pay for Small"]) {
    await page.getByRole("button", { name: "Buy Small for €9.99" }).click();
    await page.waitForURL(/\/pay\//);
    // Who comes back without having paid.
    await page.goto("/points");
    await expect(page.getByRole("row", { name: /Small.*not paid yet/ })).toHaveCount(1);
    await page.getByRole("button", { name: next }).click();
    if (next.startsWith("Cancel"))
      await expect(page.getByText("Nothing was charged.")).toBeVisible();
  }
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByText("500.00 points were added")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("region", { name: "Available points" })).toContainText("1,500");
  await look(page, "bought");
  await page.getByRole("link", { name: "Show the receipt" }).click();
  await expect(page.getByRole("heading", { name: /Receipt \d+/ })).toBeVisible();
  await expect(page.getByText("€9.99")).toBeVisible();
  await look(page, "receipt");

  const { sessions, state, stripe } = neighbours().payments;
  const session = [...sessions.values()].at(-1);
  const charge = {
    object: "charge",
    amount_refunded: 333,
    currency: "eur",
    payment_intent: session?.payment_intent,
  };
  const { body, signature } = signedEvent(stripe.webhookSecret, "charge.refunded", charge);
  const told = await fetch(state.webhookUrl as string, {
    method: "POST",
    body,
    headers: { "stripe-signature": signature },
  });
  expect(told.status).toBe(200);
  await page.goto("/points");
  await expect(page.getByRole("row", { name: /Small.*partly refunded/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Available points" })).toContainText("1,333");

  await forgetSession(page);
  await signInAsOperator(page, "/admin/packages");
  await page.getByText("Needs attention", { exact: true }).first().click();
  const row = page.getByRole("row", { name: /Refunded/ });
  await row.getByRole("button", { name: /as seen/ }).click();
  await expect(page.getByText("Nothing needs your attention.")).toBeVisible();
});

test("nothing is sold or ordered on the open page of an account that is suspended, until that is lifted", {
  tag: "@core",
}, async ({ page }) => {
  const email = await openPoints(page);
  const buy = page.getByRole("button", { name: /^Buy Small/ });
  const save = page.getByRole("button", { name: "Save a card" });
  await expect(save).toBeVisible();
  await relayCommand("account", "suspend", "--email", email, "--reason", "The card was stolen.");
  const reason = page.getByText("The card was stolen.");
  await expect(reason).toBeVisible({ timeout: 20_000 });
  await expect(buy.or(save)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Redeem a voucher" })).toBeVisible();
  await look(page, "suspended");
  await page.goto("/playground");
  await page.getByLabel("Message").fill("Say hello.");
  await expect(reason).toBeVisible();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  await page.goto("/playground/image");
  await expect(page.getByText("This account is suspended.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make the image" })).toBeDisabled();
  await page.goto("/points");
  await expect(reason).toBeVisible();
  await expect(buy.or(save)).toHaveCount(0);
  await relayCommand("account", "resume", "--email", email);
  await expect(buy).toBeVisible({ timeout: 20_000 });
  await expect(save).toBeVisible();
});

test("an operator creates vouchers, saves their codes, sees who redeemed one and cancels the rest", {
  tag: "@core",
}, async ({ page }) => {
  const email = await signInAsOperator(page, "/admin/vouchers");
  await page.getByRole("button", { name: "Create vouchers" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Launch");
  await form.getByLabel("Points each").fill("25");
  await form.getByLabel("How many").fill("3");
  await form.getByRole("button", { name: "Create them" }).click();
  const codes = (await page.getByRole("textbox", { name: "the codes" }).inputValue()).split("\n");
  expect(codes).toHaveLength(3);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("vouchers-Launch.csv");
  await page.getByRole("button", { name: "I saved them" }).click();
  await page.goto("/points");
  await page.getByRole("button", { name: "Redeem a voucher" }).click();
  await page.getByLabel("Code").fill(codes[0] as string);
  await page.getByRole("button", { name: "Add the points" }).click();
  await expect(page.getByText("25.00 points added.").first()).toBeVisible();
  await page.goto("/admin/vouchers");
  await expect(page.getByRole("row", { name: /Launch.*1 of 3/ })).toBeVisible();
  await look(page, "vouchers");
  await page.getByRole("button", { name: "Show Launch" }).click();
  await expect(page.getByRole("dialog").getByText(email)).toBeVisible();
  await page.getByRole("button", { name: "Cancel the 2 left" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the 2 left" }).click();
  await expect(page.getByText("2 vouchers are cancelled.").first()).toBeVisible();
});

test("the money page shows what was paid and owed, and a button runs the audit", {
  tag: "@core",
}, async ({ page }) => {
  await signInAsOperator(page, "/admin/money");
  await expect(page.getByRole("region", { name: "Revenue" })).toContainText("€6.66");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText("Every point is accounted for.")).toBeVisible({ timeout: 20_000 });
  await look(page, "money");
  expect(await relayCommand("ledger", "audit")).toMatchObject({ ok: true });
});

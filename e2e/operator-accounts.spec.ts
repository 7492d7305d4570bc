import type { Page } from "@playwright/test";
import { newCustomer, signInAsOperator, signInTo } from "./operator-desk";
import { chat, expect, newEmail, password, test } from "./product";
import { pathOf } from "./route-roles";

async function openAccount(page: Page, email: string): Promise<void> {
  await page.getByRole("searchbox").fill(email);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: email }).click();
  await expect(page.getByRole("heading", { name: email })).toBeVisible();
}

test("an operator finds an account, adjusts its points, changes its terms and suspends it; its user sees the reason", {
  tag: "@core",
}, async ({ page, baseURL, browser, allowStatus }) => {
  test.slow();
  allowStatus(402);
  const { email, key } = await newCustomer();
  await signInAsOperator(page, "/admin/accounts");
  await openAccount(page, email);
  const points = page.getByRole("region", { name: "Points", exact: true });
  await points.getByRole("button", { name: "Adjust points" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog.getByText("Enter the number of points.")).toBeVisible();
  await dialog.getByLabel("Points", { exact: true }).fill("2.5");
  await dialog.getByLabel("Reason").fill("For the trouble");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(points.getByText("1,002.5").first()).toBeVisible();
  await expect(page.getByRole("row", { name: /For the trouble/ })).toBeVisible();

  await points.getByRole("button", { name: "Adjust points" }).click();
  await dialog.getByRole("radio", { name: "Take away" }).check();
  await dialog.getByLabel("Points", { exact: true }).fill("5000");
  await dialog.getByLabel("Reason").fill("Too much");
  await dialog.getByRole("button", { name: "Take away" }).click();
  await expect(dialog.getByLabel("Points", { exact: true })).toHaveAccessibleDescription(
    /1002\.500000 points are available/,
  );
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Change multiplier" }).click();
  await dialog.getByLabel("Multiplier").fill("0.5");
  await dialog.getByLabel("Reason").fill("A friend");
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(page.getByRole("region", { name: "Terms" })).toContainText("× 0.5");

  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await dialog.getByLabel("Reason").fill("The invoice is open");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("The invoice is open")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => (await chat(baseURL, key, "Say hello.")).status, { timeout: 5000 })
    .toBe(403);

  const other = await browser.newPage({ baseURL: baseURL ?? "" });
  await signInTo(other, email, "/points");
  await expect(other.locator("main").getByRole("alert")).toContainText("The invoice is open");
  await other.close();

  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await dialog.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Suspend", exact: true })).toBeVisible();
  await expect
    .poll(async () => (await chat(baseURL, key, "Say hello.")).status, { timeout: 5000 })
    .toBe(200);
});

test("an operator revokes any user's key and ends any user's session", async ({
  page,
  baseURL,
  browser,
}) => {
  const { email, key, accountId } = await newCustomer();
  const other = await browser.newPage({ baseURL: baseURL ?? "" });
  await signInTo(other, email, "/settings");
  await signInAsOperator(page, `/admin/accounts/${accountId}`);
  await page.getByRole("button", { name: "Actions for production" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("row", { name: /production/ })).toContainText("revoked");
  await expect
    .poll(async () => (await chat(baseURL, key, "Say hello.")).status, { timeout: 5000 })
    .toBe(401);
  await page.getByRole("button", { name: /End the session/ }).click();
  await expect(page.getByText("Not signed in anywhere.")).toBeVisible();
  await expect
    .poll(async () => (await other.request.get(pathOf("showMe"))).status(), { timeout: 6000 })
    .toBe(401);
  await other.close();
});

test("an invitation works for one sign-up, with its points, and no second", async ({
  page,
  browser,
  baseURL,
}) => {
  await signInAsOperator(page, "/admin/accounts");
  await page.getByRole("button", { name: "Invite someone" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("For", { exact: true }).fill("Ann");
  await dialog.getByLabel("Points").fill("3");
  await dialog.getByRole("button", { name: "Create the link" }).click();
  const link = await dialog.getByRole("textbox", { name: "the link" }).inputValue();
  await dialog.getByRole("button", { name: "I saved it" }).click();
  await expect(page.getByRole("row", { name: /Ann/ })).toContainText("open");

  const path = link.slice(link.indexOf("/signup"));
  const guest = await browser.newPage({ baseURL: baseURL ?? "" });
  await guest.goto(path);
  await guest.getByLabel("Email").fill(newEmail());
  await guest.getByLabel("Password", { exact: true }).fill(password);
  await guest.getByRole("button", { name: "Create account" }).click();
  await expect(guest.getByRole("region", { name: "Available points" })).toContainText("3", {
    timeout: 20_000,
  });
  await guest.context().clearCookies();
  await guest.goto(path);
  await expect(guest.getByText("This invitation is no longer valid")).toBeVisible();
  await guest.close();
  await page.reload();
  await expect(page.getByRole("row", { name: /Ann/ })).toContainText("used");
});

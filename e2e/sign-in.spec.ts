import type { Page } from "@playwright/test";
import { AUTH_PATH } from "@/lib/contract/page-paths";
import {
  beginSession,
  expect,
  forgetSession,
  makeAccount,
  newEmail,
  openPoints,
  password,
  signInAnew,
  signOut,
  test,
} from "./product";
import { pathOf } from "./route-roles";

test("a signed-in page leads to the login page and then back to itself", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  const email = await openPoints(page);
  await signOut(page);
  await page.goto("/points?kind=credits");
  await expect(page).toHaveURL("/login?callbackUrl=%2Fpoints%3Fkind%3Dcredits");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/points?kind=credits");
  await expect(page.getByRole("radio", { name: "Top-ups" })).toBeChecked();
});

for (const path of ["/points", "/settings", "/overview", "/usage"]) {
  test(`${path} shows nothing without a session`, {
    tag: path === "/points" ? "@core" : [],
  }, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login\?callbackUrl=/);
  });
}

test("a wrong password and an unknown address get the same message, beside the form", {
  tag: ["@core", "@phone"],
}, async ({ page, allowStatus }) => {
  allowStatus(401);
  const email = newEmail();
  await makeAccount(email);
  await page.goto("/login");
  for (const unknown of [email, newEmail()]) {
    await page.getByLabel("Email").fill(unknown);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    const answered = page.waitForResponse(`**${AUTH_PATH}/callback/credentials*`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
    await expect(page.getByRole("alert").filter({ hasText: "is wrong" })).toHaveText(
      "The email address or the password is wrong.",
    );
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  }
});

test("too many attempts are refused with the time to wait", async ({ page, allowStatus }) => {
  allowStatus(401);
  allowStatus(429);
  const email = newEmail();
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  for (let attempt = 0; attempt <= 10; attempt++) {
    await page.getByLabel("Password", { exact: true }).fill(`wrong ${attempt}`);
    const answered = page.waitForResponse(`**${AUTH_PATH}/callback/credentials*`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await answered;
    await expect(page.getByRole("button", { name: "Sign in" })).toBeEnabled();
  }
  await expect(page.getByRole("alert").filter({ hasText: "Too many attempts" })).toContainText(
    /Wait (a minute|\d+ minutes)/,
  );
});

test("the address after sign-in never leaves this site", async ({ page, allowStatus }) => {
  allowStatus(401);
  const email = newEmail();
  await makeAccount(email);
  for (const wanted of [
    "https://example.org/",
    "//example.org/",
    "/\\example.org",
    "javascript:alert(1)",
  ]) {
    await forgetSession(page);
    await page.goto(`/login?callbackUrl=${encodeURIComponent(wanted)}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/points");
  }
});

test("invalid fields show their errors and are linked to them", { tag: "@phone" }, async ({
  page,
  allowStatus,
}) => {
  allowStatus(401);
  const email = newEmail();
  await makeAccount(email);
  await page.goto("/signup");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/complete email address/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    /works well. Use 10 to 200 characters/,
  );
  await page.getByLabel("Password", { exact: true }).fill(`not ${password}`);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
    /could not be created, and the password/,
  );
});

test("the password can be shown, and caps lock gives a warning", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/login");
  const field = page.getByLabel("Password", { exact: true });
  await field.fill("secret words");
  await expect(field).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show the password" }).click();
  await expect(field).toHaveAttribute("type", "text");
  await field.dispatchEvent("keydown", { key: "A", modifierCapsLock: true });
  await expect(page.getByText("Caps lock is on.")).toBeVisible();
  await field.dispatchEvent("keyup", { key: "CapsLock" });
  await expect(page.getByText("Caps lock is on.")).toBeHidden();
});

test("a changed password ends the other sessions and keeps this one", {
  tag: ["@core", "@phone"],
}, async ({ page, browser, baseURL }) => {
  const email = await signInAnew(page);
  const other = await browser.newContext({ baseURL: baseURL ?? "" });
  const elsewhere = await other.newPage();
  await beginSession(elsewhere, email);
  const isSignedIn = async () => (await elsewhere.request.get(pathOf("showMe"))).ok();
  expect(await isSignedIn()).toBe(true);

  await page.goto("/settings");
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change the password" }).click();
  await expect(page.getByText("All other sessions have ended.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();

  await expect.poll(isSignedIn, { timeout: 8000 }).toBe(false);
  await elsewhere.goto("/settings");
  await expect(elsewhere).toHaveURL(/\/login/);
  await other.close();
});

test("a session that a stranger planted never becomes that of who signs in", {
  tag: "@phone",
}, async ({ page, browser, baseURL }) => {
  const victim = newEmail();
  await makeAccount(victim);
  const other = await browser.newContext({ baseURL: baseURL ?? "" });
  const stranger = await other.newPage();
  const attacker = await signInAnew(stranger);
  await page.context().addCookies(await other.cookies());
  const nameOf = async (shown: Page) =>
    (await (await shown.request.get(pathOf("showMe"))).json()).user?.email;
  expect(await nameOf(page)).toBe(attacker);
  await beginSession(page, victim);
  expect(await nameOf(page)).toBe(victim);
  expect(await nameOf(stranger)).toBe(attacker);
  await other.close();
});

test("signing out everywhere ends this session too", { tag: "@phone" }, async ({ page }) => {
  await signInAnew(page);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto("/points");
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
});

import { LATER_COOKIE } from "@/lib/client/notices";
import { isReady } from "./fine";
import {
  expect,
  fillInLogin,
  follow,
  makeAccount,
  newEmail,
  pointsPageIsAlive,
  signInAnew,
  test,
} from "./product";

test("sessions are listed, and one session can sign out another", { tag: "@phone" }, async ({
  page,
  browser,
  baseURL,
}) => {
  const email = newEmail();
  await makeAccount(email);
  await page.goto("/login");
  await fillInLogin(page, email);
  await pointsPageIsAlive(page);
  const context = await browser.newContext({
    baseURL: baseURL ?? "",
    userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1",
  });
  const phone = await context.newPage();
  await phone.goto("/login");
  await fillInLogin(phone, email);
  await expect(phone.getByRole("region", { name: "Available points" })).toContainText(/\d/);

  await page.goto("/settings");
  const sessions = page.getByRole("region", { name: "Sessions", exact: true });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expect(sessions.getByRole("listitem").filter({ hasText: "this one" })).toHaveCount(1);
  await sessions.getByRole("button", { name: "Sign out Safari on iOS" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await expect(async () => {
    await phone.goto("/points");
    await expect(phone).toHaveURL(/\/login/, { timeout: 1000 });
  }).toPass({ timeout: 6000 });
  await page.reload();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await context.close();
});

test("a name is saved, and a low balance is shown below the limit that the account set", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  await signInAnew(page);
  await page.goto("/settings");
  await page.getByLabel("Name").fill("Ada <b>Lovelace</b>");
  await page.getByRole("button", { name: "Save the name" }).click();
  await expect(page.getByText("Name saved.")).toBeVisible();
  // On a phone the frame shows it above the other pages.
  const more = page.getByRole("button", { name: "More" });
  if (await more.isVisible()) await more.click();
  await expect(page.getByTitle("Ada <b>Lovelace</b>").filter({ visible: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Name")).toHaveValue("Ada <b>Lovelace</b>");

  const limit = page.getByLabel("Low balance, in points");
  await limit.fill("none");
  await page.getByRole("button", { name: "Save the notice" }).click();
  await expect(limit).toHaveAttribute("aria-invalid", "true");
  await limit.fill("1000.5");
  await page.getByRole("button", { name: "Save the notice" }).click();
  const notice = page.getByText("Fewer than 1,000.50 points left.");
  await expect(notice).toBeVisible();
  await follow(page, "/usage");
  await expect(notice).toBeVisible();
  // In one line, with the way to more points, and away for a day once dismissed.
  const line = page.getByRole("status").filter({ has: notice });
  expect((await line.boundingBox())?.height).toBeLessThanOrEqual(40);
  await expect(line.getByRole("link", { name: "Top up" })).toHaveAttribute(
    "href",
    /\/points#topup$/,
  );
  await line.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await isReady(page);
  await expect(notice).toBeHidden();
  const cookies = await page.context().cookies();
  const kept = cookies.find(({ name }) => name === LATER_COOKIE)?.expires ?? 0;
  expect(Math.abs(kept - Date.now() / 1000 - 86_400)).toBeLessThan(3600);
  await page.context().clearCookies({ name: LATER_COOKIE });
  await page.goto("/settings");
  await expect(notice).toBeVisible();
  await limit.fill("");
  await page.getByRole("button", { name: "Save the notice" }).click();
  await expect(notice).toBeHidden();
});

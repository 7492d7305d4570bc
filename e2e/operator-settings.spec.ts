import { assertFine, assertFits, isReady, sizes } from "./fine";
import { signInAsOperator } from "./operator-desk";
import { expect, test } from "./product";

test("an operator finds a setting by typing, and the URL keeps the search", {
  tag: "@core",
}, async ({ page }) => {
  await signInAsOperator(page, "/admin/settings");
  await isReady(page);
  const search = page.getByRole("searchbox", { name: "Search settings" });
  const rows = page.locator("main section li:has(form)");
  const all = await rows.count();
  expect(all).toBeGreaterThan(40);
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("points mail domain");
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("welcome_per_domain");
  await expect(page.getByRole("main").getByRole("status").first()).toHaveText(`1 of ${all}`);
  await expect(page).toHaveURL(/\?q=points\+mail\+domain$/);
  await page.reload();
  await expect(search).toHaveValue("points mail domain");
  await expect(rows).toHaveCount(1);
  await search.fill("no such setting");
  await expect(page.getByText("No setting matches “no such setting”.")).toBeVisible();
  await page.getByRole("button", { name: "Show all settings" }).click();
  await expect(rows).toHaveCount(all);
  await expect(page).toHaveURL(/\/admin\/settings$/);
});

test("what is changed is marked, counted and found, and a change can be undone", async ({
  page,
}) => {
  await signInAsOperator(page, "/admin/settings?q=home_figures");
  await isReady(page);
  const row = page.locator("main li:has(form)");
  await expect(row).toHaveCount(1);
  await expect(row.getByRole("button", { name: "Save" })).toBeHidden();
  await row.getByRole("combobox").selectOption("No");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("set here");
  await page.goto("/admin/settings?changed=1&q=home_figures");
  await isReady(page);
  await expect(row).toContainText("default: Yes");
  await row.getByRole("button", { name: "Unset" }).click();
  await expect(row).toHaveCount(0);
});

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the parts of the settings are links that show where one is, on a ${size}`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await signInAsOperator(page, "/admin/settings#legal");
    await isReady(page);
    const parts = page.getByRole("navigation", { name: "Parts of this page" });
    const here = parts.locator("[aria-current=location]");
    await expect(here).toHaveText("Legal pages");
    await expect(page.getByRole("heading", { name: "Legal pages" })).toBeInViewport();
    await parts.getByRole("link", { name: "New keys" }).click();
    await expect(page.getByRole("heading", { name: "New keys" })).toBeInViewport();
    await expect(here).toContainText("New keys");
    await assertFits(page, `the settings on a ${size}`);
    await assertFine(page, `the settings on a ${size}`, { isPhoneOwn: true });
  });
}

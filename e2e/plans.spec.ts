/** A plan's life: an operator makes it, a customer chooses it, sees what ends when, and cancels. */
import { assertFine, sizes } from "./fine";
import { keepPictures } from "./look";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { beginSession, expect, follow, test } from "./product";

test("an operator makes a plan; a customer chooses it, sees its points and when they end, and cancels it", {
  tag: "@core",
}, async ({ page, browser, baseURL }) => {
  test.slow();
  const name = `Plan ${Date.now()}`;
  const { email, accountId } = await newCustomer();
  await page.setViewportSize(sizes.desktop);
  await signInAsOperator(page, "/admin/plans");
  await page.getByRole("button", { name: "Add a plan" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add a plan" }).click();
  await expect(dialog.getByText("Give the plan a name.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Points").fill("250");
  await dialog.getByLabel("Carried over, in percent").fill("50");
  await assertFine(page, "a new plan");
  await keepPictures(page, "plans-new");
  await dialog.getByRole("button", { name: "Add a plan" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("250.00 points a month");
  await expect(row).toContainText("on offer");

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const customer = await context.newPage();
  await customer.setViewportSize(sizes.desktop);
  await beginSession(customer, email);
  await customer.goto("/points");
  const card = customer.getByRole("region", { name: "Plan", exact: true });
  await expect(card).toContainText("You are on no plan.");
  await card.getByRole("button", { name: `Choose ${name}` }).click();
  await expect(card).toContainText("The next points come on");
  await expect(card.getByRole("row", { name: new RegExp(name) })).toContainText("250.00");
  await assertFine(customer, "the points page with a plan");
  await keepPictures(customer, "plans-points");
  await card.getByRole("button", { name: "Cancel the plan" }).click();
  await expect(card).toContainText("It ends on");
  await customer.setViewportSize(sizes.phone);
  await assertFine(customer, "the points page with a plan, on a phone", { isPhoneOwn: true });
  await keepPictures(customer, "plans-points-phone");
  await context.close();

  await page.goto(`/admin/accounts/${accountId}`);
  const own = page.getByRole("region", { name: "Plan", exact: true });
  await expect(own).toContainText("It ends on");
  await keepPictures(page, "plans-account");
  await own.getByRole("button", { name: "Pause" }).click();
  await dialog.getByRole("button", { name: "Pause" }).click();
  await expect(own).toContainText("paused");
  await own.getByRole("button", { name: "End the plan" }).click();
  await dialog.getByLabel("When").selectOption("Now");
  await dialog.getByRole("button", { name: "End the plan" }).click();
  await expect(own).toContainText("The account is on no plan.");
  await assertFine(page, "an account that is on no plan any more");

  await follow(page, "/admin/plans");
  await page.setViewportSize(sizes.phone);
  await assertFine(page, "plans on a phone", { isPhoneOwn: true });
  await keepPictures(page, "plans-phone");
  await page.getByRole("button", { name: `Retire ${name}` }).click();
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("retired");
});

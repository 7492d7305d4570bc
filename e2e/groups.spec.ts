/** The operators' page of groups, and what the accounts of a group then see and pay. */
import { assertFine, sizes } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { beginSession, expect, test } from "./product";

test("an operator makes a group and puts an account into it; its customer sees their models at their price", async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const name = `Partners ${Date.now()}`;
  const { email, accountId, key } = await newCustomer();
  await page.setViewportSize(sizes.desktop);
  await signInAsOperator(page, "/admin/groups");
  await page.getByRole("button", { name: "Add a group" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Only some", { exact: true }).click();
  await dialog.getByRole("button", { name: "Add a group" }).click();
  await expect(dialog.getByText("Give the group a name.")).toBeVisible();
  await expect(dialog.getByText("Choose at least one model.")).toBeVisible();
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Multiplier", { exact: true }).fill("0.8");
  await dialog.getByRole("checkbox", { name: /\bRelayV1$/ }).check();
  await dialog.getByRole("checkbox", { name: /Super-Relay2\.5$/ }).check();
  await dialog.getByLabel("Multiplier of RelayV1").fill("0.5");
  await assertFine(page, "a new group");
  await dialog.getByRole("button", { name: "Add a group" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("× 0.8");
  await expect(row).toContainText("RelayV1 × 0.5");

  await page.goto(`/admin/accounts/${accountId}`);
  const terms = page.getByRole("region", { name: "Terms" });
  await terms.getByRole("button", { name: "Change group" }).click();
  await dialog.getByLabel("Group").selectOption(name);
  await dialog.getByLabel("Reason").fill("A contract");
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(terms).toContainText(name);
  await expect(terms).toContainText("× 0.8");
  await assertFine(page, "an account in a group");

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const customer = await context.newPage();
  await beginSession(customer, email);
  await customer.goto("/pricing");
  const prices = customer.getByRole("table");
  await expect(prices.getByRole("cell").getByRole("link")).toHaveText([
    "RelayV1",
    "Super-Relay2.5",
  ]);
  await expect(prices.getByRole("row", { name: /^RelayV1/ })).toContainText("× 0.5");
  await expect(prices.getByRole("row", { name: /^Super-Relay2\.5/ })).toContainText("× 0.8");
  await customer.goto("/playground/video");
  await expect(customer.getByLabel("Model", { exact: true }).first()).toHaveText("Super-Relay2.5");
  expect((await customer.request.get("/models/super-relay")).status()).toBe(404);
  const order = await fetch(`${baseURL}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "Super-Relay-Image", prompt: "A fox" }),
  });
  expect([order.status, (await order.json()).error.code]).toEqual([404, "model_not_found"]);
  await context.close();

  await page.goto("/admin/groups");
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await expect(dialog).toContainText("1 account is in it");
  await expect(dialog.getByRole("button", { name: "Delete", exact: true })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.setViewportSize(sizes.phone);
  await assertFine(page, "groups on a phone", { isPhoneOwn: true });
  await row.getByRole("link").click();
  await expect(page.getByRole("link", { name: email })).toBeVisible();
});

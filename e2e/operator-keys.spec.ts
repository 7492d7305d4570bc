import { violationsOf } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { expect, follow, test } from "./product";
import { pathOf } from "./route-roles";

test("an operator key is made on its page, shown once, credits points by API, is in the log, and is revoked", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  await signInAsOperator(page, "/admin/keys");
  await expect(page.getByRole("heading", { name: "Operator keys", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Create an operator key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create an operator key" }).click();
  await expect(dialog).toContainText("Select at least one.");
  const name = `billing ${Date.now()}`;
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("checkbox", { name: /add and take points/ }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create an operator key" }).click();
  const secret = await dialog.getByRole("textbox", { name: "your operator key" }).inputValue();
  expect(secret).toMatch(/^sk-rly-op-/);
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I saved it" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("active");
  await expect(row).toContainText("add and take points");
  expect(await page.content()).not.toContain(secret);

  const { accountId } = await newCustomer();
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const send = (path: string, body: object) =>
    fetch(`${baseURL}/v1/admin/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const credit = () =>
    send(`accounts/${accountId}/adjust`, { points: 25, reason: "Invoice", ref: accountId });
  const [first, second] = [await (await credit()).json(), await (await credit()).json()];
  expect([first.is_new, second.is_new, second.entry_id]).toEqual([true, false, first.entry_id]);
  expect((await send(`accounts/${accountId}/resume`, {})).status).toBe(403);
  // The key is worth nothing on the pages' own API.
  expect((await fetch(`${baseURL}${pathOf("showOverview")}`, { headers })).status).toBe(404);
  await follow(page, "/admin/audit");
  await expect(page.getByRole("main")).toContainText(`Key “${name}”`);

  await follow(page, "/admin/keys");
  await page.getByRole("button", { name: `Revoke ${name}` }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(row).toContainText("revoked");
  expect((await credit()).status).toBe(401);
  expect(await violationsOf(page)).toEqual([]);
});

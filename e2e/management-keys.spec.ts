import { managementKeyEndpoints } from "@/lib/contract/management-keys";
import { violationsOf } from "./fine";
import { expect, openKeys, password, relayCommand, signInAnew, test } from "./product";

test("a management key is made on the page, shown once, manages keys by API, and is revoked", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  await openKeys(page);
  const card = page.getByRole("region", { name: "Management keys" });
  await expect(card).toContainText("No management keys.");
  await card.getByRole("button", { name: "Create a management key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create a management key" }).click();
  await expect(dialog).toContainText("Select at least one.");
  await dialog.getByRole("textbox", { name: "Name" }).fill("deploy");
  await dialog.getByRole("checkbox", { name: /list API keys/ }).check();
  await dialog.getByRole("checkbox", { name: /create, change and revoke API keys/ }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create a management key" }).click();
  const secret = await dialog.getByRole("textbox", { name: "your management key" }).inputValue();
  expect(secret).toMatch(/^sk-rly-mgmt-/);
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I saved it" }).click();
  await expect(card.getByRole("row").filter({ hasText: "deploy" })).toContainText("active");
  expect(await page.content()).not.toContain(secret);

  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: "made by a program", day_budget_points: 5 });
  const made = await fetch(`${baseURL}/v1/keys`, { method: "POST", headers, body });
  expect(made.status).toBe(200);
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "made by a program" })).toContainText(
    "0.00 of 5.00 points today",
  );

  await card.getByRole("button", { name: "Revoke deploy" }).click();
  const keeps = dialog.getByRole("checkbox", { name: "Keep what it made: an API key or webhook" });
  await expect(keeps).not.toBeChecked();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("row").filter({ hasText: "made by a program" })).toContainText(
    "revoked",
  );
  await expect(card.getByRole("row").filter({ hasText: "deploy" })).toContainText("revoked");
  expect((await fetch(`${baseURL}/v1/keys`, { headers })).status).toBe(401);
  expect(await violationsOf(page)).toEqual([]);
});

test("a management key asks for the password of a session that proved nothing lately", async ({
  page,
  allowStatus,
}) => {
  allowStatus(403);
  await openKeys(page);
  const json = { error: { message: "Prove it.", code: "proof_required", param: null } };
  const { path } = managementKeyEndpoints.createManagementKey;
  let isProved = false;
  await page.route(`**${path}`, (route) => {
    if (isProved || route.request().method() !== "POST") return route.fallback();
    isProved = true;
    return route.fulfill({ status: 403, json });
  });
  await page.getByRole("button", { name: "Create a management key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).fill("deploy");
  await dialog.getByRole("checkbox", { name: /list API keys/ }).check();
  await dialog.getByRole("button", { name: "Create a management key" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
  await proof.getByLabel("Password", { exact: true }).fill(password);
  await proof.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("textbox", { name: "your management key" })).toHaveValue(
    /^sk-rly-mgmt-/,
  );
});

test("the limits of a key are set in its dialog: addresses, budgets that renew, requests at once", async ({
  page,
  allowStatus,
}) => {
  // A zone that there is not.
  allowStatus(400);
  const email = await signInAnew(page);
  await relayCommand("key", "create", "--email", email, "--name", "nightly");
  await page.goto("/keys");
  await page.getByRole("button", { name: "Actions for nightly" }).click();
  await page.getByRole("menuitem", { name: "Change limits" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Points a day").fill("12.5");
  await dialog.getByLabel("Time zone").fill("Europe/Nowhere");
  await dialog.getByLabel("Requests at once").fill("3");
  await dialog.getByLabel("Allowed addresses").fill("203.0.113.0/24, 2001:db8::1");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText("Europe/Nowhere is not a time zone such as Europe/Berlin.");
  await dialog.getByLabel("Time zone").fill("Europe/Berlin");
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: "nightly" });
  await expect(row).toContainText("0.00 of 12.50 points today");
  await expect(row).toContainText("3 requests at once");
  await expect(row).toContainText("2 addresses or ranges");
});

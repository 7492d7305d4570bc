import { readFileSync } from "node:fs";
import { words } from "@/testing/cli/words";
import { newCustomer, signInAsOperator, signInTo } from "./operator-desk";
import { chat, expect, relayCommand, test } from "./product";

test("an operator finds a request by its id and refunds its charge, and its user sees the refund", {
  tag: "@core",
}, async ({ page, baseURL, browser, allowStatus }) => {
  allowStatus(400);
  const { email, key } = await newCustomer();
  const answered = await chat(baseURL, key, "Say hello.");
  const requestId = answered.headers.get("x-request-id") ?? "";
  await signInAsOperator(page, "/admin/requests");
  await expect(page.getByRole("link", { name: email }).first()).toBeVisible();
  await page.getByRole("searchbox").fill(requestId);
  await page.getByRole("button", { name: "Search" }).click();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText(email);
  await drawer.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund the charge" });
  await dialog.getByLabel("Points").fill("900000");
  await dialog.getByLabel("Reason").fill("It said nothing new");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(dialog.getByLabel("Points")).toHaveAccessibleDescription(/left to refund/);
  await dialog.getByLabel("Points").fill("");
  await dialog.getByRole("button", { name: "Refund" }).click();
  await expect(drawer).toContainText("The whole charge was refunded.");
  await expect(drawer).toContainText("It said nothing new");

  const owner = await browser.newPage({ baseURL: baseURL ?? "" });
  await signInTo(owner, email, "/points");
  await expect(owner.getByRole("row", { name: /Refund/ })).toContainText("It said nothing new");
  await owner.close();
});

test("the request log is filtered by account, status and time, and its URL can be shared", async ({
  page,
  baseURL,
}) => {
  const { email, key, accountId } = await newCustomer();
  await chat(baseURL, key, "Say hello.");
  await chat(baseURL, key, "[[fail]]");
  await signInAsOperator(page, `/admin/requests?account=${accountId}`);
  const log = page.getByRole("region", { name: "Requests" });
  await expect(log.getByRole("link", { name: email })).toHaveCount(2);
  await page.getByLabel("Status").selectOption("released");
  await expect(log.getByRole("link", { name: email })).toHaveCount(1);
  await page.getByText("1 hour").click();
  await expect(page).toHaveURL(/account=.*status=released.*range=hour/);
  await page.reload();
  await expect(log.getByRole("link", { name: email })).toHaveCount(1);
  await page.getByRole("button", { name: `Clear filter ${email}` }).click();
  await expect(page).not.toHaveURL(/account=/);
});

test("stuck work can be refreshed, and tasks are listed", async ({ page, baseURL }) => {
  const { key, email } = await newCustomer();
  const order = { model: "RelayV1.5Pro", content: [{ type: "text", text: "a cat" }] };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const models = (await (await fetch(`${baseURL}/v1/models`, { headers })).json()) as {
    data: { id: string }[];
  };
  let id: string | undefined;
  for (const model of models.data) {
    const body = JSON.stringify({ ...order, model: model.id });
    const made = await fetch(`${baseURL}/v1/contents/generations/tasks`, {
      method: "POST",
      headers,
      body,
    });
    if (made.ok) ({ id } = (await made.json()) as { id: string });
    if (id) break;
  }
  if (id === undefined) throw new Error("no model made a task");
  await signInAsOperator(page, "/admin/tasks");
  await expect(page.getByText("Nothing is stuck")).toBeVisible();
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("There was nothing to end.")).toBeVisible();
  const row = page
    .getByRole("region", { name: "Tasks" })
    .getByRole("row", { name: new RegExp(id) });
  await expect(row).toContainText(email);
  await row.getByRole("link", { name: id }).click();
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText(email);
});

test("the audit log shows who did what with both values, and its chain is intact", {
  tag: "@core",
}, async ({ page }) => {
  const { email } = await newCustomer();
  await relayCommand(
    ...words`account multiplier --email ${email} --value 0.75 --reason ${"A friend"}`,
  );
  const operator = await signInAsOperator(page, "/admin/audit");
  expect(operator).toContain("@");
  const row = page.getByRole("row", { name: /Changed a multiplier/ }).filter({ hasText: email });
  await expect(row).toContainText("A friend");
  await expect(row.locator("del")).toHaveText("none");
  await expect(row.locator("ins")).toHaveText(["0.75", "A friend"]);
  await page.getByLabel("What", { exact: true }).selectOption("Changed a multiplier");
  await page.getByLabel("Subject").fill(email);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("region", { name: "Actions" }).getByRole("row")).toHaveCount(2);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save as CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  await page.getByRole("button", { name: "Check the log" }).click();
  await expect(page.getByText(/actions, none changed or removed/)).toBeVisible();
});

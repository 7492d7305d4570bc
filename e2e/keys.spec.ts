import { newCustomer } from "./operator-desk";
import { beginSession, chat, expect, openPoints, relayCommand, test } from "./product";

test("the row of a key says when its budget is used up, and one click raises it by a step", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  const { email } = await newCustomer();
  const words = ["key", "create", "--email", email, "--name", "nightly", "--budget", "20"];
  const { secret } = (await relayCommand(...words)) as { secret: string };
  const image = await fetch(`${baseURL}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox" }),
  });
  expect(image.status).toBe(200);
  await beginSession(page, email);
  await page.goto("/overview");
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/\/keys$/);
  const row = page.getByRole("row", { name: /nightly/ });
  await expect(row).toContainText(/\d+\.\d\d of 20\.00 points/);
  await expect(row).toContainText(/used up (today|on [A-Z][a-z]{2} \d+)/);

  await row.getByRole("button", { name: "Raise the budget of nightly" }).click();
  const dialog = page.getByRole("dialog", { name: "Raise the budget of “nightly”" });
  const field = dialog.getByLabel("New budget, in points");
  await expect(field).toHaveValue("30");
  await field.fill("0");
  await dialog.getByRole("button", { name: "Raise" }).click();
  await expect(dialog).toContainText("Points, such as 500 or 12.5.");
  await field.fill("30");
  await page.keyboard.press("Enter");
  await expect(row).toContainText("of 30.00 points");
  expect((await chat(baseURL, secret, "Say hello.")).status).toBe(200);
});

test("the page of the points makes a key too, by its button and by its address", async ({
  page,
}) => {
  await openPoints(page);
  await page.goto("/points?new=key");
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await dialog.getByLabel("Name").fill("first");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(page).toHaveURL(/\/points$/);
  await expect(page.getByText("1 key spends this account’s points.")).toBeVisible();
  await page.getByRole("link", { name: "All keys and their limits" }).click();
  await expect(page.getByRole("row", { name: /first/ })).toContainText("no budget");
});

test("entries have the filters of requests, kept in the address", async ({ page, baseURL }) => {
  const { email, key } = await newCustomer();
  for (const content of ["Say hello.", "[[fail]]"]) await chat(baseURL, key, content);
  await beginSession(page, email);
  await page.goto("/points");
  const entries = page.getByRole("region", { name: "Entries" });
  const requests = entries.getByRole("row", { name: /RelayV1/ });
  await expect(requests).toHaveCount(2);
  await entries.getByLabel("Status").selectOption("released");
  await expect(requests).toHaveCount(1);
  await expect(requests).toContainText("not charged");
  await expect(page).toHaveURL(/status=released/);
  await page.reload();
  await expect(requests).toHaveCount(1);
  await entries.getByText("Top-ups").click();
  await expect(page).toHaveURL(/\?kind=credits$/);
  await expect(requests).toHaveCount(0);
});

import { assertFine } from "./fine";
import { newCustomer } from "./operator-desk";
import { beginSession, expect, signInAnew, test } from "./product";

test("where no mail is sent, the choice of mails is one line", async ({ page }) => {
  await signInAnew(page);
  await page.goto("/notifications");
  const choices = page.getByRole("region", { name: "Events" });
  await expect(page.getByText("This installation sends no mail.")).toBeVisible();
  await expect(choices.getByRole("checkbox")).toHaveCount(0);
});

test("results are a wall or rows, as chosen last", async ({ page, baseURL }) => {
  const { email, key } = await newCustomer();
  const image = await fetch(`${baseURL}/v1/images/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox" }),
  });
  expect(image.status).toBe(200);
  await beginSession(page, email);
  await page.goto("/tasks");
  const results = page.getByRole("region", { name: "Results" });
  await expect(results).toContainText("A fox");
  await page.getByRole("group", { name: "Form of the list" }).getByText("Rows").click();
  await expect(results.getByText("A fox")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("radio", { name: "Rows" })).toBeChecked();
  await expect(results.getByText("A fox")).toBeVisible();
  await assertFine(page, "results as rows", { isPhoneOwn: true });
});

import type { Page } from "@playwright/test";
import { inTurn } from "@/testing/extent/extent";
import { expect, newEmail, openPoints, password, relayCommand, test } from "./product";
import { pagesOf } from "./route-roles";

async function signInAsOperator(page: Page): Promise<void> {
  const email = newEmail();
  await relayCommand("account", "create", "--email", email, "--password", password, "--operator");
  await page.goto("/login?callbackUrl=/admin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Operations" })).toBeVisible({
    timeout: 20_000,
  });
}

test("an operator sees the overview and switches between it and the own account", async ({
  page,
}) => {
  await signInAsOperator(page);
  await expect(page.getByText("Points available").locator("..")).toContainText(/\d/);
  await page.getByRole("link", { name: "My account" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.getByRole("link", { name: "Operator pages" }).click();
  await expect(page.getByRole("heading", { name: "Operations" })).toBeVisible();
});

test("for anyone else the operators' pages do not exist", { tag: "@core" }, async ({
  page,
  allowStatus,
}) => {
  allowStatus(404);
  const read = async (path: string) => {
    const answer = await page.goto(path);
    return {
      status: answer?.status(),
      title: await page.title(),
      text: await page.locator("main").textContent(),
    };
  };
  const nothing = await read("/nowhere");
  expect(nothing.status).toBe(404);
  expect(await read("/admin")).toEqual(nothing);
  await openPoints(page);
  await expect(page.getByRole("link", { name: "Operator pages" })).toHaveCount(0);
  const known = await read("/nowhere");
  const paths = ["/admin", "/admin/accounts", "/admin/accounts/acct_none", "/admin/requests"];
  for (const path of inTurn(2, [...paths, "/admin/tasks", "/admin/audit"]))
    expect(await read(path), path).toEqual(known);
  for (const path of pagesOf("operator"))
    expect((await page.request.get(path)).status(), path).toBe(404);
});

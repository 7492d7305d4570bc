import { assertFine, sizes } from "./fine";
import { newCustomer, signInAsOperator, signInTo } from "./operator-desk";
import { chat, expect, test } from "./product";

test("a failed request is two clicks from its cause, with each step; an operator sees the upstream's words", {
  tag: "@core",
}, async ({ page, baseURL, browser }) => {
  const { email, key } = await newCustomer();
  const failed = await chat(baseURL, key, "[[fail]]");
  expect(failed.status).toBeGreaterThanOrEqual(500);
  await signInTo(page, email, "/usage");
  await page
    .getByRole("region", { name: "Requests" })
    .getByRole("link", { name: /RelayV1/ })
    .click();
  const drawer = page.getByRole("dialog", { name: "Request" });
  await expect(drawer).toContainText("The upstream could not answer");
  await drawer.getByRole("link", { name: "Every step of it" }).click();
  const steps = page.getByRole("list", { name: "What happened, step by step" });
  await expect(steps.getByRole("listitem").filter({ hasText: "Held" })).toContainText("set aside");
  await expect(steps.getByRole("listitem").last()).toContainText("nothing charged");
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await assertFine(page, `a failed request on a ${size}`);
  }
  const operator = await browser.newPage({ baseURL: baseURL ?? "" });
  await signInAsOperator(operator, `/admin/requests/${failed.headers.get("x-request-id")}`);
  await expect(operator.getByRole("link", { name: email })).toBeVisible();
  await expect(operator.getByRole("listitem").filter({ hasText: "Attempt 1" })).toContainText(
    "HTTP 503",
  );
  await assertFine(operator, "a failed request as an operator");
  await operator.close();
});

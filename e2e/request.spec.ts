import { assertFine, sizes } from "./fine";
import { newCustomer, signInAsOperator, signInTo } from "./operator-desk";
import { chat, expect, test } from "./product";
import { pathOf } from "./route-roles";

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
    "HTTP 500 · The prompt asked the sandbox for status 500.",
  );
  await assertFine(operator, "a failed request as an operator");
  await operator.close();
});

test("an account keeps what its texts ask and are answered, reads it, runs it again and deletes it", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  const { email, key } = await newCustomer();
  await signInTo(page, email, "/settings");
  const kept = page.getByRole("region", { name: "Input and output" });
  await kept.getByLabel("Keep for").selectOption({ label: "7 days" });
  await kept.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("From now on, contents are kept for 7 days.")).toBeVisible();
  let id = "";
  // A key is read again within seconds after its account was changed.
  await expect(async () => {
    const answered = await chat(baseURL, key, "Say hello to the heron.");
    expect(answered.status).toBe(200);
    id = answered.headers.get("x-request-id") ?? "";
    const content = async () => (await page.request.get(pathOf("showContent", id))).json();
    await expect
      .poll(content, { timeout: 5000 })
      .toMatchObject({ content: { output: expect.any(String) } });
  }).toPass();
  await page.goto(`/requests/${id}`);
  await expect(kept).toContainText("Say hello to the heron.");
  await expect(kept).toContainText("Answer");
  await kept.getByText("As code").click();
  await expect(kept.getByRole("tabpanel")).toContainText("Say hello to the heron.");
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    await assertFine(page, `a request with its content on a ${size}`);
  }
  await page.getByRole("button", { name: "Run again" }).click();
  await expect(page).toHaveURL(/\/playground$/);
  await expect(page.getByRole("main")).toContainText("Say hello to the heron.");
  await page.goBack();
  await kept.getByRole("button", { name: "Delete input and output" }).click();
  await page
    .getByRole("dialog", { name: "Delete the input and output?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await expect(kept).toContainText("Nothing of this request is kept.");
});

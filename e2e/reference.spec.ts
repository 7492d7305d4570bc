import type { Page } from "@playwright/test";
import { endpoints } from "@/lib/contract/endpoints";
import { groupPages } from "@/lib/docs/guides";
import { extent } from "@/testing/extent/extent";
import { assertFine, assertFits, widths } from "./fine";
import { weighPage } from "./page-weight";
import { expect, follow, newKey, signInAnew, test } from "./product";

const entryOf = (page: Page, name: keyof typeof endpoints) =>
  page.locator(`section[aria-labelledby="${name}"]`);

test("every endpoint has a place in the index and on the page of its group", async ({ page }) => {
  const namesOf = (group: string) =>
    Object.values(endpoints)
      .filter((row) => row.group === group)
      .map(({ name }) => name);
  await page.goto("/docs/api");
  for (const { group, path } of groupPages)
    for (const name of namesOf(group))
      await expect(page.locator(`#${name} a`)).toHaveAttribute("href", `${path}#${name}`);
  for (const { group, path } of groupPages) {
    await page.goto(path);
    for (const name of namesOf(group)) {
      const entry = entryOf(page, name);
      await expect(entry.getByRole("tab", { name: "Python" }).first()).toBeVisible();
      await expect(entry.getByRole("heading", { name: "Failures" })).toBeVisible();
    }
  }
});

test("a link to an endpoint on the page that had all of them leads to its new place", async ({
  page,
}) => {
  await page.goto("/docs/api#createChatCompletion");
  await expect(page).toHaveURL(/\/docs\/api\/chat#createChatCompletion$/);
  await page.goto("/docs/api");
  await page.getByRole("link", { name: "/v1/balance" }).click();
  await expect(page).toHaveURL(/\/docs\/api\/account#getBalance$/);
});

test("fields have their type, limits, default and sentence, in the reader's language", async ({
  page,
  context,
  baseURL,
}) => {
  const rowOf = (name: string) =>
    entryOf(page, "createImage")
      .locator("dl > div")
      .filter({ has: page.locator("dt code").getByText(name, { exact: true }) })
      .first();
  await page.goto("/docs/api/images");
  await expect(rowOf("image")).toContainText("URL, data URL, list of URLs or data URLs, or null");
  await expect(rowOf("image")).toContainText("at most 64 items");
  await expect(rowOf("prompt")).toContainText("required");
  await expect(rowOf("prompt")).toContainText("1 to 20,000 characters");
  await expect(rowOf("response_format")).toContainText('default "url"');
  await expect(rowOf("quality")).toContainText("no effect");
  await context.addCookies([{ name: "relay_locale", value: "zh-CN", url: baseURL ?? "" }]);
  await page.reload();
  await expect(rowOf("prompt")).toContainText("图像的内容");
  await expect(rowOf("prompt")).toContainText("1 到 20,000 个字符");
});

test("the pages of the reference are accessible, fit every width and do not shift", async ({
  page,
  context,
}) => {
  const pages = groupPages.map(({ path }) => path);
  const some = pages.filter((_, place) => place % 3 === 0);
  for (const path of ["/docs/api", ...extent(some, pages)]) {
    const fresh = await context.newPage();
    expect((await weighPage(fresh, path)).layoutShift, path).toBeLessThanOrEqual(0.001);
    await fresh.close();
    await page.goto(path);
    await assertFine(page, path);
    const before = page.viewportSize();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await assertFits(page, `${path} at ${width}`);
    }
    if (before) await page.setViewportSize(before);
  }
});

test("a visitor is led to sign in, and back to the page", async ({ page }) => {
  await page.goto("/docs/api/account");
  await expect(page.getByRole("button", { name: "Try it" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).last().click();
  await expect(page).toHaveURL(/\/login\?callbackUrl=%2Fdocs%2Fapi%2Faccount/);
});

test("a signed-in reader sends a request: its price first, then its answer and cost", {
  tag: "@core",
}, async ({ page }) => {
  const key = await newKey(await signInAnew(page), "reference");
  await page.goto("/docs/api/account");
  const balance = entryOf(page, "getBalance");
  await balance.getByRole("button", { name: /Try it/ }).click();
  await balance.getByRole("button", { name: "Send", exact: true }).click();
  await expect(balance.locator("pre").last()).toContainText("available_points");
  await expect(balance.getByText("Not charged")).toBeVisible();

  const own = entryOf(page, "getKey");
  await own.getByRole("button", { name: /Try it/ }).click();
  await own.getByLabel("API key").fill(key);
  await own.getByRole("button", { name: "Send", exact: true }).click();
  await expect(own.locator("pre").last()).toContainText("requests_per_minute");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie]));
  expect(stored).not.toContain(key);
  await assertFine(page, "a request sent from the reference");

  await follow(page, "/docs/api/chat");
  const chat = entryOf(page, "createChatCompletion");
  await chat.getByRole("button", { name: /Try it/ }).click();
  const body = chat.getByLabel("Request body");
  await chat.getByRole("button", { name: "Show the price" }).click();
  await expect(chat.getByText(/Costs about .* points, at most/)).toBeVisible();
  await body.fill(`${await body.inputValue()} `);
  await expect(chat.getByRole("button", { name: "Show the price" })).toBeVisible();
  await body.fill("{");
  await expect(chat.getByText("This is not a JSON object.")).toBeVisible();
  await expect(chat.getByRole("button", { name: "Show the price" })).toBeDisabled();
  await chat
    .getByLabel("Example", { exact: true })
    .selectOption({ label: "Stream the answer, with its usage at the end" });
  await chat.getByRole("button", { name: "Show the price" }).click();
  await chat.getByRole("button", { name: "Send", exact: true }).click();
  await expect(chat.locator("pre").last()).toContainText("[DONE]");
  await expect(chat.getByText(/points charged/)).toBeVisible();
});

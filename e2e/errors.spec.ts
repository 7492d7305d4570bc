import type { Browser, Page } from "@playwright/test";
import { groupEndpoints } from "@/lib/contract/operator-groups";
import { inLanguage } from "./language";
import { signInAsOperator } from "./operator-desk";
import {
  beginSession,
  expect,
  newEmail,
  password,
  relayCommand,
  signInAnew,
  test,
} from "./product";

/** Signs in an account that has `points`, and opens its points page, ready for clicks. */
async function openPoints(page: Page, points: string): Promise<void> {
  const email = newEmail();
  const words = ["account", "create", "--email", email, "--password", password];
  await relayCommand(...words, "--points", points);
  await page.goto("about:blank");
  await page.context().clearCookies({ name: "relay-session" });
  await beginSession(page, email);
  await page.goto("/points");
  await expect(page.getByRole("region", { name: /Available points|可用积分/ })).toContainText(
    /\d/,
    {
      timeout: 20_000,
    },
  );
}

const texts = {
  en: {
    redeem: "Redeem a voucher",
    code: "Code",
    add: "Add the points",
    unknown: "No voucher has this code.",
    own: "You have already redeemed this code.",
    used: "This code has already been used.",
    message: "Message",
    short: /This request needs [\d.]+ points\. You have 0\.01, so [\d.]+ are missing\./,
  },
  "zh-CN": {
    redeem: "兑换券码",
    code: "券码",
    add: "兑换积分",
    unknown: "没有这个券码",
    own: "你已兑换过此券码。",
    used: "此券码已被使用。",
    message: "消息",
    short: /此请求需要 [\d.]+ 积分，可用 0\.01，还差 [\d.]+。/,
  },
} as const;

for (const locale of ["en", "zh-CN"] as const) {
  const text = texts[locale];

  test(`a voucher's code that is unknown, used or one's own is refused as just that: ${locale}`, async ({
    page,
    allowStatus,
  }) => {
    allowStatus(400);
    const { vouchers } = (await relayCommand("voucher", "create", "--points", "5")) as {
      vouchers: [string];
    };
    await inLanguage(page, locale);
    await openPoints(page, "10");
    const redeem = async (code: string) => {
      await page.getByLabel(text.code, { exact: true }).fill(code);
      await page.getByRole("button", { name: text.add }).click();
    };
    await page.getByRole("button", { name: text.redeem }).click();
    await redeem("RLY-0000-0000-0000-0000");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(text.unknown);
    await expect(dialog).not.toContainText(/filter|筛选|invalid_value/);
    await redeem(vouchers[0]);
    await expect(dialog).toHaveCount(0);
    await page.getByRole("button", { name: text.redeem }).click();
    await redeem(vouchers[0]);
    await expect(dialog).toContainText(text.own);

    await openPoints(page, "10");
    await page.getByRole("button", { name: text.redeem }).click();
    await redeem(vouchers[0]);
    await expect(dialog).toContainText(text.used);
  });

  test(`a chat without enough points says how many are needed, there and missing: ${locale}`, async ({
    page,
    allowStatus,
  }) => {
    allowStatus(402);
    await inLanguage(page, locale);
    await openPoints(page, "0.01");
    await page.goto("/playground");
    await page.getByLabel(text.message, { exact: true }).fill("Say hello.");
    await page.getByLabel(text.message, { exact: true }).press("Enter");
    await expect(page.getByRole("article", { name: "RelayV1" })).toContainText(text.short);
  });
}

test("a flag in a video's prompt that is wrong is named, in the reader's language", async ({
  page,
  allowStatus,
}) => {
  allowStatus(400);
  await inLanguage(page, "zh-CN");
  await openPoints(page, "1000");
  await page.goto("/playground/video");
  await page.getByLabel("提示词", { exact: true }).fill("A hare --dur long");
  await expect(page.getByText("提示词中的参数 --dur long 无效。")).toBeVisible();
});

/** A signed-in page of its own: what cannot be loaded there is no fault. */
async function pageThatMayFail(browser: Browser, baseURL = "") {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await signInAnew(page);
  return { context, page };
}

test("without a network a page that is asked for is waited for, and opens when there is one again", async ({
  browser,
  baseURL,
}) => {
  const { context, page } = await pageThatMayFail(browser, baseURL);
  await page.goto("/usage");
  await expect(page.getByRole("region", { name: "Over time" })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("You are offline.", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Settings", exact: true }).first().click();
  await expect(page.getByText("The page opens when the connection is back.")).toBeVisible();
  await expect(page).toHaveURL(/\/usage/);
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/settings/);
  await expect(page.getByText("You are offline.")).toHaveCount(0);
  await context.close();
});

test("a select whose options cannot be read says so at its field", async ({
  page,
  allowStatus,
}) => {
  allowStatus(500);
  const json = { error: { message: "Not now.", code: "internal_error", param: null } };
  await page.route(`**${groupEndpoints.listGroups.path}`, (route) =>
    route.fulfill({ status: 500, json }),
  );
  await signInAsOperator(page, "/admin/plans");
  await page.getByRole("button", { name: "Add a plan" }).click();
  await expect(page.getByRole("dialog").getByLabel("Group")).toHaveAttribute(
    "aria-invalid",
    "true",
  );
});

test("code that cannot be loaded takes only its part of a page, and is there once the network is", async ({
  browser,
  baseURL,
}) => {
  const { context, page } = await pageThatMayFail(browser, baseURL);
  await page.goto("/playground");
  const code = /\/_next\/static\/chunks\//;
  await page.route(code, (route) => route.abort());
  const message = page.getByLabel("Message");
  await message.fill("Say hello.");
  await message.press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await page.keyboard.press("Control+k");
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
  await expect(answer).toContainText("Hello!");
  await page.unroute(code);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await expect(answer).toContainText("Hello!");

  await context.setOffline(true);
  await page.keyboard.press("Control+k");
  await expect(page.getByText("You are offline.", { exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");

  await page.route(code, (route) => route.abort());
  await page.getByRole("link", { name: "Usage", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "This page failed." })).toBeVisible();
  await page.unroute(code);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Usage", level: 1 })).toBeVisible();
  await context.close();
});

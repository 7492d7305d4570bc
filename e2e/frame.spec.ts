import type { Page } from "@playwright/test";
import { overviewEndpoints } from "@/lib/contract/operator";
import { accountEndpoints } from "@/lib/contract/operator-accounts";
import { channelEndpoints } from "@/lib/contract/operator-channels";
import { FIRST_KEY_PATH, NEW_KEY_PATH, PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { usageEndpoints } from "@/lib/contract/usage";
import { sizes, violationsOf } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import {
  createKey,
  expect,
  fillInLogin,
  makeAccount,
  newEmail,
  newKey,
  openKeys,
  openPoints,
  signInAnew,
  test,
} from "./product";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("a dialog appears where it stays: in the middle", async ({ page }) => {
  await openPoints(page);
  await page.getByRole("button", { name: "Redeem a voucher" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  const middles = await dialog.evaluate((element) => {
    const middle = () => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2] as const;
    };
    const end = middle();
    for (const animation of element.getAnimations()) {
      animation.pause();
      animation.currentTime = 0;
    }
    return { start: middle(), end };
  });
  expect(middles.end[0]).toBeCloseTo((page.viewportSize()?.width ?? 0) / 2, -1);
  expect(Math.abs(middles.start[0] - middles.end[0])).toBeLessThan(2);
  expect(Math.abs(middles.start[1] - middles.end[1])).toBeLessThan(20);
});

test("the password is asked for over a veil that covers the dialog below", async ({
  page,
  allowStatus,
}) => {
  allowStatus(403);
  const { accountId } = await newCustomer();
  await signInAsOperator(page, `/admin/accounts/${accountId}`);
  await page.route(`**${accountEndpoints.adjustPoints.path.replace("{id}", "*")}`, (route) =>
    route.fulfill({
      status: 403,
      json: { error: { message: "Prove it.", code: "proof_required", param: null } },
    }),
  );
  await page.getByRole("button", { name: "Adjust points" }).click();
  const below = page.getByRole("dialog", { name: "Adjust points" });
  await below.getByLabel("Points").fill("5");
  await below.getByLabel("Reason").fill("a test");
  const { x = 0, y = 0, width = 0 } = (await below.boundingBox()) ?? {};
  const clip = { x: x + width / 2, y: y + 4, width: 4, height: 4 };
  const corner = () => page.screenshot({ clip });
  const bare = await corner();
  await below.getByRole("button", { name: "Add" }).click();
  await expect(page.locator("input[autocomplete=current-password]")).toBeFocused();
  await expect
    .poll(async () => (await corner()).equals(bare), "the dialog below is as it was")
    .toBe(false);
});

test("the focus moves to where work continues", async ({ page }) => {
  for (const path of ["/login", "/signup"]) {
    await page.goto(path);
    await expect(page.getByLabel("Email")).toBeFocused();
  }
  await openKeys(page);
  await createKey(page, "first");
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(page.getByRole("button", { name: "Create a key" })).toBeFocused();
  await page.getByRole("button", { name: "Actions for first" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Change limits" }).press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Actions for first" })).toBeFocused();
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(page.getByLabel("Message")).toBeFocused();
});

const makeImage = (page: Page) =>
  page.request.post(`${PLAYGROUND_PATH}/v1/images/generations`, {
    data: { model: "super-relay-img", prompt: "A fox", size: "512x512" },
  });

test("what was just done is never in the future, whatever the clock of the reader", async ({
  page,
}) => {
  await signInAnew(page);
  await makeImage(page);
  await page.goto("/tasks");
  const time = page
    .getByRole("article", { name: /^Image by/ })
    .locator("time")
    .first();
  const at = Date.parse((await time.getAttribute("datetime")) ?? "");
  await page.clock.setFixedTime(at - 5000);
  await expect(time).toHaveText("now", { timeout: 15_000 });
});

test("a link that ends while the page is open gives way to a sentence", async ({ page }) => {
  await page.clock.install();
  await signInAnew(page);
  await makeImage(page);
  await page.goto("/tasks");
  const card = page.getByRole("article", { name: /^Image by/ });
  await expect(card.getByRole("img")).toBeVisible();
  await page.clock.fastForward("25:00:00");
  await expect(card.getByText("The link has expired.")).toBeVisible();
  await expect(card.getByRole("img")).toHaveCount(0);
  await expect(card.getByRole("link", { name: "Download" })).toHaveCount(0);
});

const failure = {
  status: 503,
  json: { error: { message: "No.", code: "service_busy", param: null } },
};

test("one cause is told once, and one button tries all of it again", async ({
  page,
  allowStatus,
}) => {
  allowStatus(503);
  await signInAnew(page);
  for (const { path } of [usageEndpoints.listUsage, usageEndpoints.showUsageChart])
    await page.route(`**${path}?*`, (route) => route.fulfill(failure));
  await page.goto("/usage");
  const again = page.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("Not loaded, for the same reason.")).toBeVisible({ timeout: 30_000 });
  await expect(again).toHaveCount(1);
  await page.unrouteAll();
  await again.click();
  await expect(page.getByRole("group", { name: "Points by day" })).toBeVisible();
  await expect(page.getByText("Not loaded, for the same reason.")).toHaveCount(0);
});

test("an overview of which nothing can be read says so, and nothing of it waits for ever", async ({
  page,
  allowStatus,
}) => {
  allowStatus(503);
  const again = page.getByRole("button", { name: "Try again" });
  await signInAnew(page);
  await page.route(/\/api\/(?!auth)/, (route) => route.fulfill(failure));
  await page.goto("/overview");
  await expect(again).toBeVisible({ timeout: 30_000 });
  const results = page.getByRole("region", { name: "Latest results" });
  await expect(results).toContainText("Not loaded, for the same reason.", { timeout: 30_000 });
  await page.unrouteAll();
  await signInAsOperator(page);
  await page.route(/\/api\/(?!auth)/, (route) => route.fulfill(failure));
  await page.goto("/admin");
  await expect(again).toBeVisible({ timeout: 30_000 });
});

test("models that nobody answers are told to operators, with what to do", async ({ page }) => {
  const unserved = [
    { model: "RelayV1", hasChannel: true },
    { model: "Super-Relay2.0", hasChannel: false },
  ];
  for (const { path } of [overviewEndpoints.showOverview, channelEndpoints.listChannels]) {
    await page.route(`**${path}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), unserved } });
    });
  }
  await signInAsOperator(page);
  const notice = page.getByRole("alert").filter({ hasText: "503" });
  await expect(notice).toContainText("RelayV1: its channel takes no requests.");
  await expect(notice).toContainText("Super-Relay2.0: no channel offers it.");
  expect(await violationsOf(page)).toEqual([]);
  await notice.getByRole("link", { name: "Open channels" }).click();
  await expect(page.getByRole("heading", { name: "Channels", level: 1 })).toBeVisible();
  await expect(notice).toContainText("RelayV1");
  // An answer that is still being read would be gone with the page.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("on a phone", () => {
  test.use({ viewport: sizes.phone, hasTouch: true });

  test("More lists the other pages, without keys of a keyboard", async ({ page }) => {
    await openPoints(page);
    await page.getByRole("button", { name: "More" }).tap();
    const sheet = page.getByRole("dialog");
    for (const name of ["Tasks", "Prices", "Settings"])
      await expect(sheet.getByRole("link", { name })).toBeVisible();
    await expect(sheet.locator("kbd")).toHaveCount(0);
    expect(await violationsOf(page)).toEqual([]);
    await sheet.getByRole("link", { name: "Tasks" }).tap();
    await expect(page.getByRole("heading", { name: "Tasks", level: 1 })).toBeVisible();
    await expect(sheet).toHaveCount(0);
  });

  test("the public header has the models and the way to a key", async ({ page }) => {
    await page.goto("/pricing");
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Get a key" })).toBeVisible();
    await header.getByRole("button", { name: "Menu" }).tap();
    expect(await violationsOf(page)).toEqual([]);
    await header.getByRole("link", { name: "Models" }).tap();
    await expect(page).toHaveURL(/\/models$/);
    await expect(header.getByRole("link", { name: "Models" })).toBeHidden();
  });
});

test("docs, models and prices are within the side bar for who is signed in, and centred", async ({
  page,
}) => {
  const sideBar = page.getByRole("navigation", { name: "Dashboard" });
  for (const path of ["/docs", "/docs/api", "/models", "/pricing"]) {
    await page.goto(path);
    await expect(page.getByRole("navigation", { name: "Site" })).toBeVisible();
    await expect(sideBar).toHaveCount(0);
  }
  await openPoints(page);
  for (const [name, path] of [
    ["Docs", "/docs"],
    ["Models", "/models"],
    ["Prices", "/pricing"],
  ] as const) {
    await sideBar.getByRole("link", { name }).click();
    await expect(page).toHaveURL(path);
    await expect(sideBar.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("navigation", { name: "Site" })).toHaveCount(0);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("docs");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/docs");
  await page.setViewportSize({ width: 1920, height: 1000 });
  const { x = 0, width = 0 } = (await page.getByRole("main").boundingBox()) ?? {};
  const { width: bar = 0 } = (await page.getByRole("banner").boundingBox()) ?? {};
  expect(x + width / 2).toBeCloseTo((1920 + bar) / 2, -1);
});

test("links to a first key open its dialog, also after signing in", async ({ page }) => {
  await page.goto("/");
  const link = page.getByRole("banner").getByRole("link", { name: "Get a key" });
  await expect(link).toHaveAttribute("href", FIRST_KEY_PATH);
  const email = newEmail();
  await makeAccount(email);
  await page.goto(NEW_KEY_PATH);
  await fillInLogin(page, email);
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/keys$/);
  await page.goto("/overview");
  await page
    .getByRole("region", { name: /answer/ })
    .getByRole("link", { name: "Create a key" })
    .click();
  await dialog.getByLabel("Name").fill("first");
  await dialog.getByRole("button", { name: "Create a key" }).click();
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(page).toHaveURL(/\/keys$/);
});

test("a table is sorted by the heads of its columns", async ({ page }) => {
  const email = await signInAnew(page);
  for (const name of ["key 10", "apple", "key 9"]) await newKey(email, name);
  await page.goto("/keys");
  const table = page.getByRole("table", { name: "Keys", exact: true });
  const names = table.getByRole("row").locator("td:first-child");
  const head = table.getByRole("columnheader", { name: "Name" });
  await expect(head).toHaveAttribute("aria-sort", "none");
  await head.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await expect(names).toHaveText([/^apple/, /^key 9/, /^key 10/]);
  await page.keyboard.press("Enter");
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(names).toHaveText([/^key 10/, /^key 9/, /^apple/]);
  expect(await violationsOf(page)).toEqual([]);
});

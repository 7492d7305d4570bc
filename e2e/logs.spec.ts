import type { Locator, Page } from "@playwright/test";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { isWhole } from "@/testing/extent/extent";
import { assertFine, assertFits, isReady, sizes, widths } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { movedOn } from "./page-weight";
import { beginSession, chat, expect, forgetSession, relayCommand, test } from "./product";

const ROW_HEIGHT = 40;

test.use({ viewport: sizes.desktop });

const log = (page: Page) => page.getByRole("region", { name: "Requests" });
const rowsIn = (list: Locator) =>
  list.getByRole("row").filter({ has: list.page().getByRole("cell") });
const drawer = (page: Page) => page.getByRole("dialog", { name: /Request|Action/ });

/** An account that has made `count` requests with a key of its own, signed in. */
async function busyCustomer(page: Page, baseURL: string | undefined, count: number) {
  const { email, accountId } = await newCustomer();
  const words = ["key", "create", "--email", email, "--name", "nightly batch", "--rpm", "1200"];
  const { secret } = (await relayCommand(...words)) as { secret: string };
  for (let made = 0; made < count; made += 10) {
    const asked = Array.from({ length: Math.min(10, count - made) }, () =>
      chat(baseURL, secret, "Say hello."),
    );
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(200);
  }
  await beginSession(page, email);
  return { email, accountId, key: secret };
}

const orderVideo = (page: Page) =>
  page.evaluate(async (base) => {
    const content = [{ type: "text", text: "[[queue:600]] A heron" }];
    const order = { model: "Super-RelayFast", content, resolution: "480p", ratio: "3:4" };
    await fetch(`${base}/v1/contents/generations/tasks`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...order, duration: 5 }),
    });
  }, PLAYGROUND_PATH);

async function heightsOf(rows: Locator): Promise<number[]> {
  return rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
}

test("50 rows of the usage log fit in 2,200 pixels, and the next one is a key away", async ({
  page,
  baseURL,
}) => {
  await busyCustomer(page, baseURL, 52);
  await page.goto("/usage");
  const rows = rowsIn(log(page));
  await expect(rows).toHaveCount(50);
  expect(new Set(await heightsOf(rows))).toEqual(new Set([ROW_HEIGHT]));
  const table = await log(page).getByRole("table").boundingBox();
  expect(table?.height).toBeLessThanOrEqual(2200);
  await rows.last().click();
  await expect(drawer(page)).toContainText("50 of 52");
  await drawer(page).getByRole("button", { name: "Next" }).click();
  await expect(drawer(page)).toContainText("51 of 52");
  await expect(rows).toHaveCount(52);
});

test("a row says what the request was, how long it took, how it ended and what it cost", async ({
  page,
  baseURL,
}) => {
  const { key } = await busyCustomer(page, baseURL, 1);
  await chat(baseURL, key, "[[fail]]");
  await page.goto("/usage");
  await orderVideo(page);
  await page.reload();
  const rows = rowsIn(log(page));
  await expect(rows).toHaveCount(3);
  const [video, failed, answered] = [rows.nth(0), rows.nth(1), rows.nth(2)];
  await expect(video).toContainText("Super-RelayFast");
  await expect(video).toContainText("480p · 3:4 · 5 s");
  await expect(video).toContainText("Playground");
  await expect(video).toContainText(/\d held/);
  await expect(failed).toContainText("The upstream could not answer.");
  await expect(failed).toContainText("not charged");
  await expect(answered).toContainText(/\d+ in · \d+ out/);
  await expect(answered).toContainText("nightly batch");
  await expect(answered).toContainText(/\d m?s/);
  await expect(answered).toContainText("settled");
  await expect(answered).toContainText(/−0\.\d{6}/);
});

test("a row opens by a click anywhere and by Enter; the arrow keys move between rows, and in the drawer to the next", {
  tag: "@core",
}, async ({ page, baseURL }) => {
  await busyCustomer(page, baseURL, 3);
  await page.goto("/usage");
  const rows = rowsIn(log(page));
  await expect(rows).toHaveCount(3);
  const links = rows.getByRole("link");
  await links.first().focus();
  await page.keyboard.press("ArrowDown");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(drawer(page)).toContainText("2 of 3");
  await expect(drawer(page)).toBeFocused();
  await expect(drawer(page).getByRole("list", { name: "Cost, step by step" })).toContainText(
    "settled",
  );
  await page.keyboard.press("ArrowDown");
  await expect(drawer(page)).toContainText("3 of 3");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await expect(drawer(page)).toContainText("1 of 3");
  await expect(links.first()).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toBeHidden();
  await expect(links.first()).toBeFocused();
  await expect(page).not.toHaveURL(/request=/);

  const box = await rows.nth(2).boundingBox();
  await rows.nth(2).click({ position: { x: (box?.width ?? 0) - 8, y: 4 } });
  await expect(drawer(page)).toContainText("3 of 3");
  // In a wide window the list beside the drawer stays in use.
  await rows.nth(1).click();
  await expect(drawer(page)).toContainText("2 of 3");
  await drawer(page).getByRole("button", { name: "Previous" }).click();
  await expect(drawer(page)).toContainText("1 of 3");
  await page.goBack();
  await expect(drawer(page)).toContainText("3 of 3");
});

test("the operators' requests, tasks and actions are rows of the same height that open in the same drawer", async ({
  page,
  baseURL,
}) => {
  test.slow();
  const { email, accountId } = await busyCustomer(page, baseURL, 2);
  await page.goto("/usage");
  for (let made = 0; made < 2; made++) await orderVideo(page);
  for (const value of ["0.75", "0.5"])
    await relayCommand("account", "multiplier", "--email", email, "--value", value);
  await forgetSession(page);
  await signInAsOperator(page);
  for (const [path, list] of [
    [`/admin/requests?account=${accountId}`, "Requests"],
    [`/admin/tasks?account=${accountId}`, "Tasks"],
    [`/admin/audit?subject=${accountId}`, "Actions"],
  ] as const) {
    await page.goto(path);
    const rows = rowsIn(page.getByRole("region", { name: list, exact: true }));
    await expect(rows.nth(1)).toBeVisible();
    expect(new Set(await heightsOf(rows)), path).toEqual(new Set([ROW_HEIGHT]));
    await rows.first().click({ position: { x: 6, y: 6 } });
    await expect(drawer(page), path).toContainText(/1 of \d/);
    await page.keyboard.press("j");
    await expect(drawer(page), path).toContainText(/2 of \d/);
    await page.keyboard.press("Escape");
    await expect(drawer(page)).toBeHidden();
    await expect(rows.nth(1).getByRole("link").first()).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(drawer(page), path).toContainText(/1 of \d/);
    await expect(drawer(page), path).toContainText(email);
  }
});

test("the audit log speaks in words, in both languages", async ({ page, context, baseURL }) => {
  const { email } = await newCustomer();
  const channel = `words ${Date.now()}`;
  await relayCommand("account", "multiplier", "--email", email, "--value", "0.75");
  const place = ["--protocol", "openai", "--base-url", "http://127.0.0.1:1", "--priority", "-9"];
  const models = ["--models", "RelayV1=theirs"];
  const made = (await relayCommand(
    ...["channel", "create", "--name", channel, ...place, ...models],
  )) as { channel: { id: string } };
  await relayCommand("channel", "disable", "--id", made.channel.id);
  await relayCommand("channel", "remove", "--id", made.channel.id);
  await signInAsOperator(page, "/admin/audit");
  const actions = page.getByRole("region", { name: "Actions" });
  const changed = actions.getByRole("row", { name: /Changed a multiplier/ }).filter({
    hasText: email,
  });
  await expect(changed).toContainText("Multiplier");
  const added = actions.getByRole("row", { name: /Added a channel/ }).filter({ hasText: channel });
  await expect(added).toBeVisible();
  const texts = await rowsIn(actions).allInnerTexts();
  expect(texts.length).toBeGreaterThan(4);
  // The visible part of an API key is no word, and none of the code's names either.
  for (const text of texts.map((each) => each.replaceAll(/sk-rly-\S+/g, "")))
    expect(text).not.toMatch(/[{[]"|\b[a-z]+[A-Z]|\b(account|channel|key|price|setting)\.[a-z_]+/);
  await added.click();
  await expect(drawer(page)).toContainText("RelayV1 → theirs");
  await expect(drawer(page)).toContainText("Base URL");
  await expect(drawer(page)).not.toContainText(/baseUrl|requestsPer|\{"/);
  await page.reload();
  await expect(drawer(page)).toContainText("RelayV1 → theirs");
  await context.addCookies([{ name: "relay_locale", value: "zh-CN", url: baseURL ?? "" }]);
  await page.goto("/admin/audit");
  const row = page.getByRole("row", { name: /修改倍率/ }).filter({ hasText: email });
  await expect(row).toContainText("倍率 无 → 0.75");
});

/** Of up to three loads: a notice that another test posts moves a page once, a fault each time. */
async function leastMoved(page: Page, address: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let load = 0; load < 3 && least > 0.02; load++) {
    await page.goto(address);
    await isReady(page);
    least = Math.min(least, await movedOn(page));
  }
  return least;
}

test("no log scrolls sideways at any width, with its drawer and without, and nothing moves", async ({
  page,
  baseURL,
}) => {
  const { accountId } = await busyCustomer(page, baseURL, 3);
  await page.goto("/usage");
  await orderVideo(page);
  const walk = async (path: string, list: string) => {
    await page.setViewportSize(sizes.desktop);
    await page.goto(path);
    await rowsIn(page.getByRole("region", { name: list, exact: true }))
      .first()
      .click();
    await expect(drawer(page)).toContainText(/\d of \d/);
    const open = page.url();
    for (const address of [path, open]) {
      expect(await leastMoved(page, address), address).toBeLessThanOrEqual(0.02);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await assertFits(page, `${address} at ${width}`);
      }
    }
    for (const viewport of Object.values(sizes)) {
      await page.setViewportSize(viewport);
      await page.goto(open);
      await expect(drawer(page)).toContainText(/\d of \d/);
      await assertFine(page, open, { isPhoneOwn: true });
    }
  };
  await walk("/usage", "Requests");
  await forgetSession(page);
  await signInAsOperator(page);
  await walk(`/admin/requests?account=${accountId}`, "Requests");
  if (!isWhole) return;
  await walk(`/admin/tasks?account=${accountId}`, "Tasks");
  // Actions of other tests would move the rows.
  await walk(`/admin/audit?subject=${accountId}`, "Actions");
});

test.describe("on a phone", () => {
  test.use({ viewport: sizes.phone, hasTouch: true });

  test("a row has two lines, is large enough to tap, and opens the drawer, which can show the next row", async ({
    page,
    baseURL,
  }) => {
    await busyCustomer(page, baseURL, 2);
    await page.goto("/usage");
    const rows = rowsIn(log(page));
    await expect(rows).toHaveCount(2);
    for (const height of await heightsOf(rows)) {
      expect(height).toBeGreaterThanOrEqual(48);
      expect(height).toBeLessThanOrEqual(64);
    }
    await expect(rows.first()).toContainText(/\d+ in · \d+ out/);
    const box = await rows.first().boundingBox();
    await rows.first().tap({ position: { x: (box?.width ?? 0) / 2, y: 8 } });
    await expect(drawer(page)).toContainText("1 of 2");
    await drawer(page).getByRole("button", { name: "Next" }).tap();
    await expect(drawer(page)).toContainText("2 of 2");
    await drawer(page).getByRole("button", { name: "Close" }).tap();
    await expect(drawer(page)).toBeHidden();
  });
});

/** The status page, its feed and the operators' page of incidents. */
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { onNeighbours } from "./own-instance";
import {
  beginSession,
  chat,
  expect,
  follow,
  forgetSession,
  newEmail,
  newKey,
  password,
  relayCommand,
  test,
} from "./product";

test.describe.configure({ mode: "serial" });
onNeighbours();

async function newAccount(...words: string[]): Promise<string> {
  const email = newEmail();
  await relayCommand("account", "create", "--email", email, "--password", password, ...words);
  return email;
}

const feed = "/status/feed.atom";

test("while it is not public, only operators see it", async ({ page, baseURL, allowStatus }) => {
  allowStatus(404);
  const email = await newAccount("--points", "1000");
  const key = await newKey(email, "k");
  for (let at = 0; at < 24; at++) {
    const answer = await chat(baseURL, key, at < 22 ? "Hello." : "[[status:500]]");
    expect(answer.ok).toBe(at < 22);
  }
  for (const signIn of [false, true]) {
    if (signIn) await beginSession(page, email);
    expect((await page.goto("/status"))?.status()).toBe(404);
    await expect(page).not.toHaveTitle(/Status/);
    expect((await page.request.get(feed)).status()).toBe(404);
  }
  await forgetSession(page);
  await page.goto("/");
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Status" })).toHaveCount(0);
  await beginSession(page, await newAccount("--operator"));
  await page.setViewportSize(sizes.desktop);
  await page.goto("/status");
  await expect(page.getByText("Only operators see this page.")).toBeVisible();
  await expect(page.getByText("No trouble is known.")).toBeVisible();
  await expect(page.getByText("No incidents in the last 90 days.")).toBeVisible();
  const model = page.getByRole("listitem").filter({ hasText: "RelayV1" }).first();
  await expect(model).toContainText(/Availability\s*100%/);
  await expect(model).toContainText(/Success\s*91\.66%/);
  await expect(model).toContainText("failures on one day");
  await assertFine(page, "the status of an installation without incidents");
});

test("an operator writes about an incident, shows the page to everyone, and resolves it", {
  tag: "@core",
}, async ({ page, browser, baseURL }) => {
  await page.setViewportSize(sizes.desktop);
  await beginSession(page, await newAccount("--operator"));
  await page.goto("/admin/incidents");
  await expect(page.getByText("No incidents yet.")).toBeVisible();
  await page.getByRole("button", { name: "Open an incident" }).click();
  const dialog = page.getByRole("dialog", { name: "Open an incident" });
  await dialog.getByRole("button", { name: "Open it" }).click();
  await expect(dialog).toContainText("Write a title in at least one language.");
  await expect(dialog).toContainText("Write a text in at least one language.");
  await dialog.getByLabel("Title in English").fill("Slow <b>answers</b>");
  await dialog.getByLabel("Text in English").fill("We look into it.");
  await dialog.getByLabel("Text in Chinese").fill("我们正在调查。");
  await dialog.getByRole("checkbox", { name: /\bRelayV1$/ }).check({ timeout: 10_000 });
  await assertFine(page, "a new incident");
  await dialog.getByRole("button", { name: "Open it" }).click();
  const line = page.getByRole("listitem").filter({ hasText: "Slow <b>answers</b>" });
  await expect(line).toContainText("investigating");
  await follow(page, "/admin/settings");
  const setting = page.getByRole("listitem").filter({ hasText: "Status page" });
  await setting.getByRole("combobox").selectOption("Everyone");
  await setting.getByRole("button", { name: "Save" }).click();
  await expect(setting).toContainText("set here");

  const reader = await browser.newContext({ baseURL: baseURL ?? "", javaScriptEnabled: false });
  const plain = await reader.newPage();
  await expect(async () => {
    expect((await plain.goto("/status"))?.status()).toBe(200);
    await expect(plain.getByText("1 incident is open.")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  const entry = plain.getByRole("listitem").filter({ hasText: "Slow <b>answers</b>" });
  await expect(entry).toContainText("We look into it.");
  await expect(plain.getByRole("link", { name: "Write about an incident" })).toHaveCount(0);
  await plain.getByRole("contentinfo").getByRole("link", { name: "Status" }).click();
  await expect(plain).toHaveURL(/\/status$/);

  await follow(page, "/admin/incidents");
  await line.getByRole("button", { name: /^Add an update/ }).click();
  const update = page.getByRole("dialog", { name: "Add an update" });
  await update.getByLabel("State").selectOption("resolved");
  await update.getByLabel("Text in English").fill("It is over.");
  await update.getByLabel("Text in Chinese").fill("已经结束。");
  await update.getByRole("button", { name: "Add it" }).click();
  await expect(line).toContainText("It is over.");
  await expect(async () => {
    await plain.goto("/status");
    await expect(plain.getByText("No trouble is known.")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await expect(entry).toContainText("It is over.");
  await expect(entry.getByText("We look into it.")).toBeHidden();
  // Without scripts too.
  await entry.getByText("1 earlier update").click();
  await expect(entry.getByText("We look into it.")).toBeVisible();
  await reader.close();
  await page.setViewportSize(sizes.phone);
  await assertFine(page, "incidents on a phone", { isPhoneOwn: true });
});

test("everyone sees it, in both languages and sizes", async ({ page }) => {
  await relayCommand("incident", "open", "--title-zh", "图像变慢", "--text-zh", "我们正在调查。");
  for (const size of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(size);
    await expect(async () => {
      await page.goto("/status");
      await expect(page.getByText("1 incident is open.")).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 10_000 });
    await expect(page.getByRole("heading", { name: "图像变慢" })).toHaveAttribute("lang", "zh-CN");
    await assertFine(page, "the status", { isPhoneOwn: true });
    const days = page.getByRole("slider", { name: /^Success by day of/ }).first();
    await days.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(days).toHaveAttribute("aria-valuenow", "88");
    await expect(days).toHaveAttribute("aria-valuetext", /: (\d|no requests)/);
  }
  await inLanguage(page, "zh-CN");
  await page.goto("/status");
  await expect(page.getByRole("heading", { name: "状态", exact: true })).toBeVisible();
  await assertFine(page, "the status in Chinese", { isPhoneOwn: true });
  await expect(page.getByRole("link", { name: "订阅（Atom）" })).toHaveAttribute(
    "href",
    `${feed}?lang=zh-CN`,
  );
  await assertChinese(page, "the status");
});

test("the feed tells of incidents, and only what is new is sent again", async ({ page }) => {
  await page.goto("/status");
  const link = page.locator('link[rel="alternate"][type="application/atom+xml"]');
  expect(await link.getAttribute("href")).toContain(feed);
  const answer = await page.request.get(feed);
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toBe("application/atom+xml; charset=utf-8");
  expect(answer.headers()["cache-control"]).toBe("public, max-age=60");
  const read = await page.evaluate(
    (text) => {
      const xml = new DOMParser().parseFromString(text, "application/xml");
      const all = (name: string) => [...xml.querySelectorAll(name)].map((each) => each.textContent);
      return { errors: all("parsererror"), titles: all("entry > title"), ids: all("id") };
    },
    await answer.text(),
  );
  expect(read.errors).toEqual([]);
  expect(read.titles).toContain("Slow <b>answers</b>");
  expect(new Set(read.ids).size).toBe(read.titles.length + 1);
  const etag = answer.headers().etag ?? "";
  const same = await page.request.get(feed, { headers: { "if-none-match": `"x", W/${etag}` } });
  expect(same.status()).toBe(304);
  expect((await page.request.get(`${feed}?lang=zh-CN`)).headers().etag).not.toBe(etag);
});

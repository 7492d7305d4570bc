/** An installation with a name and a look of its own: nothing of ours is in sight. */
import { writeFileSync } from "node:fs";
import { type MailCatcher, startMailCatcher } from "@/testing/accounts/mail-catcher";
import { assertFine, sizes } from "./fine";
import { keepPictures } from "./look";
import { ownInstance } from "./own-instance";
import { beginSession, expect, newEmail, password } from "./product";
import { serveInstance } from "./serve-product";

let catcher: MailCatcher;
const { test, relay } = ownInstance(async () => {
  catcher = await startMailCatcher();
  const instance = await serveInstance("brand", {
    SMTP_URL: catcher.url,
    RELAY_SUPPORT_CONTACT: "help@starbridge.example",
  });
  return { ...instance, stop: () => instance.stop().then(() => catcher.close()) };
}, "serial");

const logo = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"><rect width="48" height="24" rx="6" fill="#1a56db"/></svg>',
).toString("base64")}`;
const brand = {
  brand_name_en: "Starbridge",
  brand_name_zh: "星桥",
  brand_logo: logo,
  accent_light: "#1a56db",
  home_title_en: "Models for the north.",
  home_lead_zh: "北方的模型。",
  footer_en: "Starbridge Ltd., Harbour 1",
  privacy_zh: "我们只保存必要的数据。",
  status_page: "everyone",
};

const terms =
  "# Terms\n\nPay for **what** you use.\n\n- [Write to us](mailto:help@starbridge.example)";

/** What remains: names of models, and names that programs use. */
const kept = /Super-Relay[\w.-]*|RelayV1|\bX-Relay-[\w-]+/g;
const ours = (text: string): string[] =>
  [...text.replace(kept, "").matchAll(/.{0,60}\bRelay\b.{0,30}/g)].map(([around]) => around);

const set = (name: string, value: string) =>
  relay("setting", "set", "--name", name, "--value", value);

/** Text of several lines comes from a file. */
async function setPage(name: string, text: string, file: string): Promise<void> {
  writeFileSync(file, text);
  await relay("setting", "set", "--name", name, "--file", file);
}

test("without a brand there are no legal pages and no links to them", async ({
  page,
  allowStatus,
}) => {
  allowStatus(404);
  for (const path of ["/legal/terms", "/brand/logo", "/brand/icon", "/brand/accent.css"])
    expect([path, (await page.request.get(path)).status()]).toEqual([path, 404]);
  await page.goto("/signup");
  await expect(page.getByRole("link", { name: "Terms" })).toHaveCount(0);
  await expect(page).toHaveTitle(/ · Relay$/);
});

test("with a brand, nothing of ours is in any page, mail, PDF, feed, document or file", async ({
  page,
  context,
  baseURL,
  allowStatus,
}) => {
  test.slow();
  allowStatus(404);
  for (const [name, value] of Object.entries(brand)) await set(name, value);
  await setPage("terms_en", terms, test.info().outputPath("terms.md"));
  await expect
    .poll(async () => (await page.request.get("/llms.txt")).text())
    .toMatch(/^# Starbridge\n/);
  const get = async (path: string) => {
    const answer = await page.request.get(path);
    expect([path, answer.status()]).toEqual([path, 200]);
    return answer.text();
  };
  const sitemap = await get("/sitemap.xml");
  const places = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, at]) => new URL(at ?? "").pathname,
  );
  expect(places).toEqual(expect.arrayContaining(["/legal/terms", "/legal/privacy"]));
  expect(places).not.toContain("/legal/imprint");
  const files = [
    "/manifest.webmanifest",
    "/llms.txt",
    "/robots.txt",
    "/openapi.json",
    "/status/feed.atom",
  ];
  const others = [
    "/login",
    "/signup",
    "/forgot",
    "/reset",
    "/confirm-email",
    "/undo-email",
    "/status",
  ];
  for (const locale of ["en", "zh-CN"]) {
    await context.addCookies([{ name: "relay_locale", value: locale, url: baseURL ?? "" }]);
    for (const path of [...places, ...others, ...files, "/status/feed.atom?lang=zh-CN"])
      expect([path, locale, ours(await get(path))]).toEqual([path, locale, []]);
    const missing = await page.request.get("/nowhere");
    expect(ours(await missing.text())).toEqual([]);
  }
  expect(JSON.parse(await get("/openapi.json")).info.title).toBe("Starbridge");
  expect(await get("/status/feed.atom?lang=zh-CN")).toContain("<name>星桥</name>");
});

test("pages of people and operators, mails, PDFs and documents of keys have the name too", async ({
  page,
}) => {
  test.slow();
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password, "--operator");
  const { secret } = await relay<{ secret: string }>(
    ...["operator-key", "create", "--email", email, "--name", "k", "--scopes", "settings:read"],
  );
  const headers = { authorization: `Bearer ${secret}` };
  const document = await page.request.get("/v1/admin/openapi.json", { headers });
  expect((await document.json()).info.title).toBe("Starbridge for operators");
  const settings = await page.request.get("/v1/admin/settings", { headers });
  expect(await settings.text()).toContain("Pay for **what** you use.");

  await page.goto("/forgot");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: /Send|mail/i }).click();
  await expect.poll(() => catcher.to(email).length).toBe(1);
  const [mail] = catcher.to(email);
  expect(mail?.from).toContain("Starbridge <no-reply@");
  expect(ours(`${mail?.subject} ${mail?.text} ${mail?.from}`)).toEqual([]);

  await beginSession(page, email);
  for (const path of [
    "/overview",
    "/points",
    "/settings",
    "/members",
    "/admin",
    "/admin/channels",
    "/admin/settings",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect([path, ours(await page.content()), await page.title()]).toEqual([
      path,
      [],
      expect.stringContaining("Starbridge"),
    ]);
  }
});

test("the settings page shows what a value becomes, says what is wrong with it, and looks right", async ({
  page,
  allowStatus,
}) => {
  // An image that is refused.
  allowStatus(400);
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password, "--operator");
  await beginSession(page, email);
  await page.goto("/admin/settings");
  const row = (name: string) =>
    page.getByRole("region").getByRole("listitem").filter({ hasText: name });
  const dark = row("Colour on dark pages");
  await dark.getByRole("textbox").fill("#101010");
  await dark.getByRole("button", { name: "Save" }).click();
  await expect(dark).toContainText("a contrast of 4.5:1");
  await dark.getByRole("textbox").fill("#8ab4ff");
  await expect(dark.getByRole("region", { name: "Preview" })).toContainText("Get a key");
  const icon = row("Icon");
  await icon.locator("input[type=file]").setInputFiles({
    name: "icon.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 8"/>'),
  });
  await icon.getByRole("button", { name: "Save" }).click();
  await expect(icon).toContainText("which is no square");
  await row("Terms in English")
    .getByRole("textbox")
    .fill("## Prices\n\n<b>Pay</b> <script>x</script>");
  const preview = row("Terms in English").getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("heading", { name: "Prices" })).toBeVisible();
  await expect(preview).toContainText("<script>x</script>");
  await assertFine(page, "the settings of the brand");
});

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the home page, a legal page and the sign-up look right with a brand: ${size}`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    for (const path of ["/", "/legal/terms", "/signup"]) {
      await page.goto(path);
      await assertFine(page, `${path} with a brand`);
    }
    const mark = page.getByRole("banner").locator("img");
    await page.goto("/");
    // A browser gives a drawing without a size of its own one that it chooses.
    await expect
      .poll(() => mark.evaluate((image) => Reflect.get(image, "naturalWidth")))
      .toBeGreaterThan(0);
    const answer = await page.request.get((await mark.getAttribute("src")) ?? "");
    expect(answer.headers()["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", /^\/brand\/icon\?v=/);
    await expect(page.getByRole("contentinfo")).toContainText("Starbridge Ltd., Harbour 1");
    await keepPictures(page, `brand-${size}`);
  });
}

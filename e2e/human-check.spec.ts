/** Sign-up on an instance that checks that a person signs up: by password, as a demo, and by mail. */
import type { Page } from "@playwright/test";
import { AUTH_PATH } from "@/lib/contract/page-paths";
import { type MailCatcher, startMailCatcher } from "@/testing/accounts/mail-catcher";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { test as base, expect, newEmail, password, pointsPageIsAlive, relayIn } from "./product";
import { pathOf } from "./route-roles";
import { type Served, serveInstance } from "./serve-product";

interface Instances {
  catcher: MailCatcher;
  plain: Served;
  mailing: Served;
}

const relay = (served: Served, ...words: string[]) => relayIn(served.variables, ...words);

const set = (served: Served, name: string, value: string) =>
  relay(served, "setting", "set", "--name", name, "--value", value);

const test = base.extend<object, { instances: Instances }>({
  instances: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => {
      const catcher = await startMailCatcher();
      const plain = await serveInstance("human-check");
      const mailing = await serveInstance("human-check-mail", { SMTP_URL: catcher.url });
      for (const served of [plain, mailing]) await set(served, "human_check", "yes");
      await use({ catcher, plain, mailing });
      await Promise.all([plain.stop(), mailing.stop()]);
      catcher.close();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  baseURL: async ({ instances }, use) => use(instances.plain.address),
});
test.describe.configure({ mode: "serial" });

/** Waits until the settings have reached the process. */
const isWanted = (page: Page, tries: number) =>
  expect
    .poll(async () => {
      const { challenge } = await (await page.request.get(pathOf("showHumanCheck"))).json();
      return challenge?.tries;
    })
    .toBe(tries);

test("a person signs up with the keyboard, in a worker that the page's policy allows", async ({
  page,
}) => {
  await isWanted(page, 100);
  const answer = await page.request.post(pathOf("signUp"), {
    data: { email: newEmail(), password },
  });
  expect([answer.status(), (await answer.json()).error.code]).toEqual([403, "human_check_failed"]);
  await page.setViewportSize(sizes.phone);
  await page.goto("/signup");
  await page.getByLabel("Email").fill(newEmail());
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await pointsPageIsAlive(page);
});

test("meanwhile the page says what it does, in both languages and sizes", async ({
  page,
  instances,
}) => {
  await set(instances.plain, "human_check_tries", "1000");
  await isWanted(page, 1000);
  for (const [language, size] of [
    ["en", sizes.phone],
    ["zh-CN", sizes.desktop],
  ] as const) {
    await page.setViewportSize(size);
    const url = instances.plain.address;
    await page.context().addCookies([{ name: "relay_locale", value: language, url }]);
    // The answer never comes, so that the page can be looked at.
    await page.addInitScript(() => {
      window.Worker = class extends EventTarget {
        onmessage: ((event: MessageEvent) => void) | null = null;
        postMessage() {
          this.onmessage?.(new MessageEvent("message", { data: { share: 0.4 } }));
        }
        terminate() {}
      } as unknown as typeof Worker;
    });
    await page.goto("/signup");
    await page.locator("input[type=email]").fill(newEmail());
    await page.locator("input[autocomplete=new-password]").fill(password);
    await page.keyboard.press("Enter");
    const bar = page.getByRole("status").getByRole("progressbar");
    await expect(bar).toHaveAttribute("value", "0.4");
    await expect(page.locator("button[type=submit]")).toBeDisabled();
    await assertFine(page, `the check in ${language}`, { isPhoneOwn: true });
    if (language === "zh-CN") await assertChinese(page, "the check");
  }
  await set(instances.plain, "human_check_tries", "100");
});

test("a demo account and a link by mail pass it too", async ({ page, instances, allowStatus }) => {
  allowStatus(403);
  await isWanted(page, 100);
  await page.goto("/login");
  await page.getByRole("button", { name: "Try with a demo account" }).click();
  await expect(page).toHaveURL(/\/playground\/video/);

  const { mailing, catcher } = instances;
  const at = (path: string) => `${mailing.address}${path}`;
  const { csrfToken } = await (await page.request.get(at(`${AUTH_PATH}/csrf`))).json();
  const form = { csrfToken, email: newEmail(), json: "true" };
  const refused = await page.request.post(at(`${AUTH_PATH}/signin/email`), { form });
  expect([refused.status(), (await refused.json()).error.code]).toEqual([
    403,
    "human_check_failed",
  ]);
  for (const path of ["/signup", "/login"]) {
    const email = newEmail();
    // An open page would go where one without a session goes.
    await page.goto("about:blank");
    await page.context().clearCookies();
    await page.goto(at(path));
    if (path === "/login")
      await page.getByRole("button", { name: "Send me a sign-in link" }).click();
    await page.getByLabel("Send the link to").fill(email);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: email })).toContainText("on its way");
    await expect.poll(() => catcher.to(email).length).toBe(1);
  }
  expect(catcher.to(form.email)).toEqual([]);
});

test("an operator switches it on and sets its work on the settings page", async ({
  page,
  instances,
}) => {
  await inLanguage(page, "en");
  const email = newEmail();
  const words = ["account", "create", "--email", email, "--password", password, "--operator"];
  await relay(instances.mailing, ...words);
  const at = (path: string) => `${instances.mailing.address}${path}`;
  const { csrfToken } = await (await page.request.get(at(`${AUTH_PATH}/csrf`))).json();
  const form = { csrfToken, email, password, json: "true" };
  await page.request.post(at(`${AUTH_PATH}/callback/credentials`), { form });
  await page.goto(at("/admin/settings"));
  const tries = page.getByLabel("Tries of the check");
  const line = page.getByRole("listitem").filter({ has: tries });
  await tries.fill("5");
  await line.getByRole("button", { name: "Save" }).click();
  await expect(tries).toHaveAttribute("aria-invalid", "true");
  await tries.fill("50");
  await line.getByRole("button", { name: "Save" }).click();
  await expect(line.getByText("set here")).toBeVisible();
  await page.getByLabel("Check of a person at sign-up").selectOption("no");
  await page
    .getByRole("listitem")
    .filter({ has: page.getByLabel("Check of a person at sign-up") })
    .getByRole("button", { name: "Save" })
    .click();
  await expect
    .poll(async () => (await page.request.get(at(pathOf("showHumanCheck")))).json())
    .toEqual({ challenge: null });
});

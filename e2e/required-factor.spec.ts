/** The first operator of an instance on which operators must have a second factor. */
import { Secret, TOTP } from "otpauth";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import {
  expect,
  fillInLogin,
  forgetSession,
  newEmail,
  password,
  pointsPageIsAlive,
  relayIn,
  test,
} from "./product";
import { pathOf } from "./route-roles";
import { type Served, serveInstance } from "./serve-product";

let served: Served;
test.beforeAll(async () => {
  served = await serveInstance("required-factor", { RELAY_SECOND_FACTOR: "operators" });
});
test.afterAll(() => served.stop());
// One instance for all; the last test changes it.
test.describe.configure({ mode: "default" });

const at = (path: string) => `${served.address}${path}`;

const relay = (...words: string[]) => relayIn(served.variables, ...words);

async function newAccount(...words: string[]): Promise<string> {
  const email = newEmail();
  await relay("account", "create", "--email", email, "--password", password, ...words);
  return email;
}
const newOperator = () => newAccount("--operator");

test("is led to the set-up, and works as an operator afterwards", async ({ page }) => {
  await page.setViewportSize(sizes.phone);
  const email = await newOperator();
  await page.goto(at("/login?callbackUrl=%2Fadmin%2Fsettings"));
  await fillInLogin(page, email);
  await expect(page).toHaveURL(at("/login/step?callbackUrl=%2Fadmin%2Fsettings"));
  await assertFine(page, "the set-up", { isPhoneOwn: true });
  // Nothing else is open meanwhile.
  const closed = await page.request.get(at("/admin/settings"), { maxRedirects: 0 });
  expect(closed.status()).toBe(307);
  expect((await page.request.get(at(pathOf("showMe")))).status()).toBe(401);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Set up an app" }).click();
  await expect(page.getByRole("img", { name: "Picture with the key" })).toBeVisible();
  await assertFine(page, "the key", { isPhoneOwn: true });
  const secret = Secret.fromBase32((await page.getByTestId("totp-key").textContent()) ?? "");
  await page.getByLabel("Code of six digits").fill(TOTP.generate({ secret }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("listitem")).toHaveCount(10);
  await assertFine(page, "the recovery codes", { isPhoneOwn: true });
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(page).toHaveURL(at("/admin/settings"));
  await expect(page.getByRole("heading", { name: "Settings" }).first()).toBeVisible();
  await forgetSession(page);
  await page.goto(at("/login"));
  await fillInLogin(page, email);
  await expect(page).toHaveURL(/\/login\/step/);
  await assertFine(page, "the step", { isPhoneOwn: true });
  const timestamp = Date.now() + 30_000;
  await page.getByLabel("Code").fill(TOTP.generate({ secret, timestamp }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/points"));
});

test("reads the set-up in Chinese", async ({ page }) => {
  await page.setViewportSize(sizes.phone);
  const email = await newOperator();
  await page.goto(at("/login"));
  await fillInLogin(page, email);
  await expect(page).toHaveURL(/\/login\/step/);
  await inLanguage(page, "zh-CN");
  await page.reload();
  await assertChinese(page, "the set-up");
  await page.getByRole("button").first().click();
  await expect(page.getByRole("img")).toBeVisible();
  await assertChinese(page, "the key");
  await assertFine(page, "the key in Chinese", { isPhoneOwn: true });
});

test("leads who owns an account to the set-up too, once everyone must have a factor", async ({
  page,
}) => {
  const email = await newAccount();
  await page.goto(at("/login"));
  await fillInLogin(page, email);
  await expect(page).toHaveURL(at("/points"));
  await pointsPageIsAlive(page);
  // A page that is open when the session ends would go to the login page by itself, at any time.
  await page.goto("about:blank");
  await relay("setting", "set", "--name", "second_factor", "--value", "everyone");
  // The session from before ends.
  const status = async () => (await page.request.get(at(pathOf("showMe")))).status();
  await expect.poll(status, { timeout: 30_000 }).toBe(401);
  await page.context().clearCookies();
  await page.goto(at("/login"));
  await fillInLogin(page, email);
  await expect(page).toHaveURL(/\/login\/step/);
  expect((await page.request.get(at(pathOf("showMe")))).status()).toBe(401);
  await expect(page.getByRole("button", { name: "Set up an app" })).toBeVisible();
});

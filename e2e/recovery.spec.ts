/** Forgotten passwords, changed addresses and deleted accounts, on an instance that sends mail. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { recoveryEndpoints } from "@/lib/contract/recovery";
import type { MailCatcher } from "@/testing/accounts/mail-catcher";
import { assertFine, sizes } from "./fine";
import {
  expect,
  newEmail,
  password,
  pointsPageIsAlive,
  relayIn,
  signInAnew,
  test,
} from "./product";
import type { Served } from "./serve-product";

let catcher: MailCatcher;
let served: Served;

test.beforeAll(({ neighbours }) => {
  ({ mail: catcher, served } = neighbours);
});
test.describe.configure({ mode: "serial" });

async function newPerson(): Promise<string> {
  const email = newEmail();
  const words = ["account", "create", "--email", email, "--password", password, "--points", "7"];
  await relayIn(served.variables, ...words);
  return email;
}

async function fillIn(page: Page, email: string, word = password): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(word);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function signIn(page: Page, email: string, word = password): Promise<void> {
  await page.goto(`${served.address}/login`);
  await fillIn(page, email, word);
}

/** The link in the newest mail to an address, on this instance. */
async function linkTo(email: string): Promise<string> {
  await expect.poll(() => catcher.to(email).length).toBeGreaterThan(0);
  const { text } = catcher.to(email).at(-1) ?? { text: "" };
  const { pathname, search } = new URL(/https?:\S+token=\S+/.exec(text)?.[0] ?? "");
  return `${served.address}${pathname}${search}`;
}

test("a forgotten password is set anew by a mailed link, which works once and leaves no trace", {
  tag: "@core",
}, async ({ page, allowStatus }) => {
  allowStatus(401);
  allowStatus(403);
  const email = await newPerson();
  await page.goto(`${served.address}/login`);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: email })).toContainText("on its way");

  const link = await linkTo(email);
  const token = new URL(link).searchParams.get("token") ?? "";
  // A program that looks at links uses nothing up.
  for (const method of ["get", "head"] as const) {
    const looked = await page.request[method](link);
    expect(looked.status()).toBe(200);
    expect(looked.headers()["referrer-policy"]).toBe("no-referrer");
    expect(looked.headers()["cache-control"]).toContain("no-store");
  }
  await page.goto(link);
  await expect(page).toHaveURL(`${served.address}/reset`);
  await page.getByLabel("New password").fill("short");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByText("Your password is set.")).toBeVisible();
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login/);
  await fillIn(page, email, "another horse battery");
  await pointsPageIsAlive(page);

  await page.goto(link);
  await page.getByLabel("New password").fill("a third horse battery");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByText("no longer valid")).toBeVisible();
  expect(readFileSync(served.log, "utf8")).not.toContain(token);
});

test("an address changes when the new one is confirmed, and the old one can undo it", async ({
  page,
}) => {
  const [email, next] = [await newPerson(), newEmail()];
  await signIn(page, email);
  await pointsPageIsAlive(page);
  await page.goto(`${served.address}/settings`);
  await page.getByLabel("New email").fill(next);
  await page.getByRole("button", { name: "Change the email" }).click();
  await expect(page.getByRole("status").filter({ hasText: next })).toContainText("on its way");
  const undo = await linkTo(email);
  await page.goto(await linkTo(next));
  await expect(page).toHaveURL(`${served.address}/confirm-email`);
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("link", { name: "Open the settings" }).click();
  await expect(page.getByText(`Now: ${next}`)).toBeVisible();

  await page.goto(undo);
  await page.getByRole("button", { name: /keep my address/ }).click();
  await expect(page.getByText("begins anew")).toBeVisible();
  // The password was whoever's who asked for the change.
  await expect.poll(() => catcher.to(email).at(-1)?.subject).toContain("Set a new password");
  await page.goto(await linkTo(email));
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Set the password" }).click();
  await expect(page.getByText("Your password is set.")).toBeVisible();
  await signIn(page, email, "another horse battery");
  await pointsPageIsAlive(page);
});

test("a change needs a recent password", async ({ page, allowStatus }) => {
  allowStatus(403);
  const email = await newPerson();
  await signIn(page, email);
  await pointsPageIsAlive(page);
  await page.goto(`${served.address}/settings`);
  const refusal = { error: { message: "Prove it.", code: "proof_required", param: null } };
  const address = `**${recoveryEndpoints.requestEmail.path}`;
  await page.route(address, (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 });
  const next = newEmail();
  await page.getByLabel("New email").fill(next);
  await page.getByRole("button", { name: "Change the email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("status").filter({ hasText: next })).toContainText("on its way");
});

test("people delete their account after they typed its address and gave up its points", async ({
  page,
  allowStatus,
}) => {
  allowStatus(401);
  const email = await newPerson();
  await signIn(page, email);
  await pointsPageIsAlive(page);
  await page.goto(`${served.address}/settings`);
  await page.getByRole("button", { name: "Delete my account" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await expect(dialog.getByRole("link", { name: "help@example.com" })).toBeVisible();
  const go = dialog.getByRole("button", { name: "Delete for good" });
  await expect(go).toBeDisabled();
  await dialog.getByRole("textbox").fill(email);
  await expect(go).toBeDisabled();
  await dialog.getByRole("checkbox", { name: /I give up my 7/ }).check();
  await go.click();
  await expect(page).toHaveURL(`${served.address}/`);
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
  await signIn(page, email);
  await expect(page.getByRole("alert").filter({ hasText: "is wrong" })).toBeVisible();
});

test("where no mail is sent, the pages say whom to ask", async ({ page }) => {
  await page.goto("/forgot");
  await expect(page.getByText("Ask the operator of this site")).toBeVisible();
  await signInAnew(page);
  await page.goto("/settings");
  const part = page.getByRole("region", { name: "Email" });
  await expect(part).toContainText("Ask the operator of this site to change it.");
  await expect(part.getByRole("button")).toHaveCount(0);
});

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the pages of mailed links are accessible on a ${size}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    for (const path of ["/forgot", "/reset?token=x", "/undo-email"]) {
      await page.goto(`${served.address}${path}`);
      await assertFine(page, path, { isPhoneOwn: path === "/forgot" });
    }
    await signIn(page, await newPerson());
    await pointsPageIsAlive(page);
    await page.goto(`${served.address}/confirm-email?token=x`);
    await assertFine(page, "/confirm-email");
    await page.goto(`${served.address}/settings`);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await assertFine(page, "delete");
  });
}

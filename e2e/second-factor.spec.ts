import type { Page, Route } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { assertFine } from "./fine";
import { expect, fillInLogin, forgetSession, signInAnew, test } from "./product";
import { pathOf } from "./route-roles";

/** The code of the step after the present one, which no earlier code has used up. */
const codeOf = (key: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: Date.now() + steps * 30_000 });

const part = (page: Page) => page.getByRole("region", { name: "Second factor" });

/** A device with a fingerprint reader, as Chromium imitates it. */
async function addDevice(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("an authenticator app, then a recovery code, complete a sign-in", async ({
  page,
  allowStatus,
}) => {
  allowStatus(401);
  const email = await signInAnew(page);
  await page.goto("/settings");
  await part(page).getByRole("button", { name: "Set up an app" }).click();
  await expect(part(page).getByRole("img", { name: "Picture with the key" })).toBeVisible();
  const key = (await part(page).getByTestId("totp-key").textContent()) ?? "";
  await assertFine(page, "second factor");
  await part(page).getByLabel("Code of six digits").fill("000000");
  await part(page).getByRole("button", { name: "Confirm the code" }).click();
  await expect(part(page).getByText("The code is wrong")).toBeVisible();
  await part(page).getByLabel("Code of six digits").fill(codeOf(key));
  await page.keyboard.press("Enter");
  await expect(part(page).getByRole("listitem")).toHaveCount(10);
  const code = (await part(page).getByRole("listitem").first().textContent()) ?? "";
  await part(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(part(page).getByText("10 are left.")).toBeVisible();
  for (const [given, isRight] of [
    [codeOf(key, 1), true],
    [code, true],
    [code, false],
  ] as const) {
    await forgetSession(page);
    await page.goto("/login?callbackUrl=%2Fusage");
    await fillInLogin(page, email);
    await expect(page).toHaveURL("/login/step?callbackUrl=%2Fusage");
    await assertFine(page, "second factor");
    await page.getByLabel("Code").fill(given);
    await page.keyboard.press("Enter");
    if (isRight) await expect(page).toHaveURL("/usage");
    else await expect(page.getByText("The code is wrong, or was used before.")).toBeVisible();
  }
  await page.getByRole("button", { name: "Use another account" }).click();
  await expect(page).toHaveURL("/login");
});

test("a passkey is made, signs in, and proves who it is", { tag: "@core" }, async ({
  page,
  allowStatus,
}) => {
  allowStatus(403);
  await addDevice(page);
  await signInAnew(page);
  await page.goto("/settings");
  await part(page).getByRole("button", { name: "Add a passkey" }).click();
  await part(page).getByLabel("Name of the passkey").fill("My laptop");
  await page.keyboard.press("Enter");
  await expect(part(page).getByRole("listitem")).toHaveCount(10);
  await part(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(part(page).getByText("My laptop")).toBeVisible();
  await assertFine(page, "second factor");
  await forgetSession(page);
  // The browser suggests the passkey in the email field, and this device takes it at once.
  await page.goto("/login?callbackUrl=%2Fusage");
  await expect(page).toHaveURL("/usage");
  await page.evaluate(() => localStorage.removeItem("relay.passkey"));
  await forgetSession(page);
  await page.goto("/login?callbackUrl=%2Fsettings");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL("/settings");
  await expect(part(page).getByText("last used")).toBeVisible();
  const refusal = { error: { message: "Prove it.", code: "proof_required", param: null } };
  const first = (route: Route) => route.fulfill({ status: 403, json: refusal });
  await page.route(`**${pathOf("removePasskey", "*")}`, first, { times: 1 });
  await part(page).getByRole("button", { name: "Remove My laptop" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm it’s you" });
  await expect(dialog.getByLabel("Code")).toBeVisible();
  await assertFine(page, "the proof");
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
  await expect(part(page).getByText("None yet.")).toBeVisible();
});

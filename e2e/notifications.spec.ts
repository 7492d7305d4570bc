/** What people are notified about, on an instance that sends mail and may reach this machine. */
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { type MailCatcher, startMailCatcher } from "@/testing/accounts/mail-catcher";
import { startReceiver } from "@/testing/callbacks/receiver";
import { assertFine, sizes, violationsOf } from "./fine";
import { keepPictures } from "./look";
import { expect, newEmail, password, pointsPageIsAlive, relayIn, test } from "./product";
import { type Served, serveInstance } from "./serve-product";

let catcher: MailCatcher;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let served: Served;

test.beforeAll(async () => {
  catcher = await startMailCatcher();
  receiver = await startReceiver(200);
  served = await serveInstance("notifications", {
    SMTP_URL: catcher.url,
    RELAY_CALLBACK_NETWORKS: "any",
  });
});
test.afterAll(async () => {
  catcher.close();
  await receiver.close();
  await served.stop();
});

/** Creates an account, and sets its password by a mailed link, so that its address is verified. */
async function signInVerified(page: Page): Promise<string> {
  const email = newEmail();
  const words = ["account", "create", "--email", email, "--password", password, "--points", "5000"];
  await relayIn(served.variables, ...words);
  await page.goto(`${served.address}/forgot`);
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await expect.poll(() => catcher.to(email).length).toBe(1);
  await page.goto(`${served.address}/reset?token=${catcher.to(email)[0]?.token}`);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await pointsPageIsAlive(page);
  return email;
}

/** Orders a video that the sandbox makes. */
const orderVideo = (page: Page) =>
  page.evaluate(async (base) => {
    const content = [{ type: "text", text: "A heron" }];
    const body = JSON.stringify({ model: "super-relay-fast", content, resolution: "480p" });
    const headers = { "content-type": "application/json" };
    const path = `${base}/v1/contents/generations/tasks`;
    await fetch(path, { method: "POST", headers, body });
  }, PLAYGROUND_PATH);

test("a person chooses mails, adds a webhook, and finds what was told, delivered and sent again", async ({
  page,
}) => {
  const email = await signInVerified(page);
  await page.goto(`${served.address}/notifications`);
  await expect(page.getByText("No notifications yet.")).toBeVisible();
  await expect(page.getByText("No webhooks.")).toBeVisible();
  const ended = page.getByRole("checkbox", { name: "A video task ends" });
  await expect(ended).not.toBeChecked();
  await ended.check();
  await expect(page.getByText("Saved.")).toBeVisible();
  const saved = page.waitForResponse((answer) => answer.request().method() !== "GET");
  await page.getByLabel("Also when the balance lasts for fewer days").selectOption("14");
  expect((await saved).ok()).toBe(true);

  await page.getByRole("button", { name: "Add a webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  await expect(dialog).toContainText("Enter an https: or http: address.");
  await expect(dialog).toContainText("Select at least one.");
  await dialog.getByLabel("Address").fill(receiver.url);
  // Its error goes, and what is below it moves up.
  await expect(dialog).not.toContainText("Enter an https: or http: address.");
  await dialog.getByRole("checkbox", { name: "A video task ends" }).check();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add a webhook" }).click();
  const secret = await dialog.getByRole("textbox", { name: "the signing secret" }).inputValue();
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole("button", { name: "I saved it" }).click();
  await expect(page.getByRole("row").filter({ hasText: receiver.url })).toContainText("active");
  expect(await page.content()).not.toContain(secret);

  await orderVideo(page);
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  const { headers, body } = receiver.received[0] ?? { headers: {}, body: "" };
  const event = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(event).toMatchObject({ type: "task.finished", data: { status: "succeeded" } });
  await expect
    .poll(() => catcher.to(email).map(({ subject }) => subject), { timeout: 60_000 })
    .toContainEqual(expect.stringContaining("A task has ended"));
  const told = page.getByRole("region", { name: "Notifications sent" });
  // That it was mailed is written down after the mail has arrived.
  await expect(async () => {
    await page.reload();
    await expect(told).toContainText("mailed · 1 webhook", { timeout: 5000 });
  }).toPass();
  await expect(page.getByLabel("Also when the balance lasts for fewer days")).toHaveValue("14");
  await expect(told).toContainText("has ended: succeeded");
  for (const size of Object.values(sizes)) {
    await page.setViewportSize(size);
    await assertFine(page, "/notifications", { isPhoneOwn: true });
    await keepPictures(page, `notifications-${size.width}`);
  }

  await page.setViewportSize(sizes.desktop);
  await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
  await page.getByRole("menuitem", { name: "Send a test" }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  await page.getByRole("button", { name: "Log" }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await expect(dialog.getByRole("listitem").first()).toContainText("Test");
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send again" }).last().click();
  await expect.poll(() => receiver.received.length).toBe(3);
  expect(receiver.received[2]?.headers["webhook-id"]).toBe(headers["webhook-id"]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No webhooks.")).toBeVisible();
});

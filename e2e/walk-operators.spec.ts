import { assertAccessible, sizes } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { chat, expect, follow, relayCommand, test } from "./product";

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`${size}`, () => {
    test.use({ viewport });

    test("operators' pages of channels, prices and settings are accessible", async ({ page }) => {
      const models = ["--models", "RelayV1=theirs,Super-Relay-Image=pictures"];
      const place = [
        "--name",
        `walk ${size}`,
        "--protocol",
        "openai",
        "--base-url",
        "http://127.0.0.1:1",
      ];
      const { channel } = (await relayCommand(
        "channel",
        "create",
        ...place,
        ...models,
        "--priority",
        "-9",
      )) as {
        channel: { id: string };
      };
      await relayCommand("channel", "disable", "--id", channel.id);
      await signInAsOperator(page);
      await page.goto("/admin/channels");
      await assertAccessible(page, "channels");
      for (const [item, dialog] of [
        ["Change", /^Change/],
        ["Test", /^Test/],
        ["Remove", /^Remove/],
      ] as const) {
        await page.getByRole("button", { name: `Actions for walk ${size}` }).click();
        await page.getByRole("menuitem", { name: item }).click();
        await expect(page.getByRole("dialog", { name: dialog })).toBeVisible();
        await assertAccessible(page, `${item} a channel`);
        await page.keyboard.press("Escape");
      }
      await page.goto("/admin/prices");
      await page.getByRole("button", { name: "Actions for RelayV1" }).click();
      await page.getByRole("menuitem", { name: "Change the price" }).click();
      await assertAccessible(page, "change a price");
      await page.keyboard.press("Escape");
      await assertAccessible(page, "prices");
      await page.goto("/admin/settings");
      await page.getByRole("button", { name: "Post a notice" }).click();
      await page.getByRole("button", { name: "Post it" }).click();
      await assertAccessible(page, "post a notice");
      await page.keyboard.press("Escape");
      await assertAccessible(page, "operators' settings");
      await relayCommand("channel", "remove", "--id", channel.id);
    });

    test("operators' pages and dialogs are accessible and keep the content policy", {
      tag: size === "desktop" ? "@core" : [],
    }, async ({ page, baseURL }) => {
      const { accountId, key, email } = await newCustomer();
      await chat(baseURL, key, "Say hello.");
      await relayCommand("account", "suspend", "--email", email, "--reason", "a test");
      await relayCommand("invite", "create", "--note", "Ann");
      await signInAsOperator(page, `/admin/accounts?q=${encodeURIComponent(email)}`);
      await assertAccessible(page, "accounts", { isPhoneOwn: true });
      await follow(page, `/admin/accounts/${accountId}`);
      await expect(page.getByRole("heading", { name: email })).toBeVisible();
      await assertAccessible(page, "an account");
      await page.getByRole("button", { name: "Adjust points" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
      await assertAccessible(page, "adjust points");
      await page.keyboard.press("Escape");
      await follow(page, `/admin/requests?account=${accountId}`);
      const list = page.getByRole("region", { name: "Requests", exact: true });
      const row = list.getByRole("row").filter({ has: page.getByRole("cell") });
      await expect(row).toHaveCount(1);
      await assertAccessible(page, "requests");
      await row.click({ position: { x: 6, y: 6 } });
      await page.getByRole("button", { name: "Refund" }).click();
      await assertAccessible(page, "refund");
      await page.keyboard.press("Escape");
      await follow(page, "/admin/tasks");
      await assertAccessible(page, "tasks");
      await follow(page, "/admin/audit");
      await page.getByRole("button", { name: "Check the log" }).click();
      await expect(page.getByText("none changed or removed")).toBeVisible();
      await assertAccessible(page, "a log that is whole");
    });
  });
}

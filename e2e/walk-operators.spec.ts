import { assertAccessible, sizes } from "./fine";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { chat, expect, relayCommand, test } from "./product";

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
        ["Edit", /^Edit/],
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
      const answered = await chat(baseURL, key, "Say hello.");
      await relayCommand("account", "suspend", "--email", email, "--reason", "a test");
      await relayCommand("invite", "create", "--note", "Ann");
      await signInAsOperator(page, "/admin/accounts");
      for (const path of [
        "/admin/accounts",
        `/admin/accounts/${accountId}`,
        "/admin/requests",
        "/admin/tasks",
        "/admin/audit",
      ]) {
        await page.goto(path);
        await assertAccessible(page, path, { isPhoneOwn: path === "/admin/accounts" });
      }
      await page.getByRole("button", { name: "Check the log" }).click();
      await expect(page.getByText("none changed or removed")).toBeVisible();
      await assertAccessible(page, "a log that is whole");
      await page.goto(`/admin/requests?request=${answered.headers.get("x-request-id")}`);
      await page.getByRole("button", { name: "Refund" }).click();
      await assertAccessible(page, "refund");
      await page.goto(`/admin/accounts/${accountId}`);
      await page.getByRole("button", { name: "Adjust points" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
      await assertAccessible(page, "adjust points");
    });
  });
}

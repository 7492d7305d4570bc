import { dayName } from "@/lib/client/days";
import { dayFromNow } from "@/testing/unit/day-from-now";
import {
  completion,
  saying,
  sendJson,
  startUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { signInAsOperator } from "./operator-desk";
import { expect, pointsPageIsAlive, relayCommand, test } from "./product";

interface Answering {
  hasUsage: boolean;
}

/** A chat upstream that answers only with the right credential; its streams always have usage. */
const startChat = (answering: Answering) =>
  startUpstream((response, request, count) => {
    const { headers, body } = request;
    if (headers.authorization !== "Bearer right-key")
      return sendJson(response, '{"error":{"code":"invalid_api_key"}}', 401);
    const usage = usageOf(7, 1);
    if (body.stream === true) return saying("OK", usage)(response, request, count);
    sendJson(response, completion("OK", answering.hasUsage ? { usage } : {}));
  });

test("an operator adds a channel, tests it, corrects its credential, drains it and removes it", {
  tag: "@core",
}, async ({ page }) => {
  test.slow();
  const answering = { hasUsage: true };
  const { url, close } = await startChat(answering);
  await signInAsOperator(page);
  await page.getByRole("link", { name: "Channels", exact: true }).click();
  await page.getByRole("button", { name: "Add a channel" }).first().click();
  const form = page.getByRole("dialog", { name: "Add a channel" });
  await form.getByRole("button", { name: "Add a channel" }).click();
  await expect(form.getByText("Give it a name.")).toBeVisible();
  await expect(form.getByLabel("Name")).toBeFocused();
  const name = `journey ${Date.now()}`;
  await form.getByLabel("Name").fill(name);
  await form.getByLabel("Base URL").fill(`${url}/v1`);
  await form.getByLabel("API key").fill("wrong-key");
  await form.getByText("Limits and order").click();
  await form.getByLabel("Priority").fill("-9");
  await form.getByLabel("RelayV1").check();
  await form.getByLabel("The upstream’s name for RelayV1").fill("theirs");
  await form.getByRole("button", { name: "Add a channel" }).click();
  const row = page.getByRole("row", { name: new RegExp(name) });
  await expect(row).toContainText("active");
  await expect(row).toContainText("Not tested yet");
  const choose = async (item: string) => {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Test");
  const trial = page.getByRole("dialog", { name: `Test ${name}` });
  await trial.getByRole("button", { name: "Test", exact: true }).click();
  await expect(trial.getByRole("region", { name: "Result" })).toContainText(
    "status 401: invalid_api_key",
  );
  await page.keyboard.press("Escape");
  await choose("Change");
  const edit = page.getByRole("dialog", { name: `Change ${name}` });
  await expect(edit).toContainText("it is never shown");
  await edit.getByLabel("New API key").fill("right-key");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(edit).toHaveCount(0);
  await choose("Test");
  await trial.getByRole("button", { name: "Test", exact: true }).click();
  await expect(trial.getByRole("region", { name: "Result" })).toContainText("It answered.");
  await expect(trial.getByRole("region", { name: "Result" })).toContainText("7 in, 1 out");
  const profile = trial.getByRole("region", { name: "What tests found out" });
  await expect(profile).toContainText("Usage in plain answersyes");
  await expect(profile).toContainText("Usage in streamsyes");
  await expect(profile).toContainText("Toolsno");
  answering.hasUsage = false;
  await trial.getByRole("button", { name: "Test", exact: true }).click();
  await expect(profile).toContainText("it serves only streams");
  await page.keyboard.press("Escape");
  await expect(row).toContainText("Tested");
  await choose("Drain");
  await expect(row).toContainText("No work is left");
  await choose("Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(row).toHaveCount(0);
  // The row is also hidden behind the dialog, before it is removed.
  await expect
    .poll(async () => JSON.stringify(await relayCommand("channel", "list")))
    .not.toContain(name);
  await close();
});

test("an operator announces a price that everyone sees, and withdraws it; recorded costs give margins", {
  tag: "@core",
}, async ({ page, request }) => {
  test.slow();
  await signInAsOperator(page, "/admin/prices");
  const row = page
    .getByRole("table", { name: "Current prices" })
    .getByRole("row", { name: /Super-Relay2\.5/ });
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "Actions for Super-Relay2.5" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Change the price");
  const form = page.getByRole("dialog", { name: "Price of Super-Relay2.5" });
  await form.getByLabel("Points, rate 1").fill("5000");
  await expect(form.getByRole("region", { name: "Effect on the last 30 days" })).toContainText(
    "last",
  );
  await form.getByText("At a later time").click();
  await form.getByRole("button", { name: "Announce the price" }).click();
  await expect(form.getByText("Choose a future time.")).toBeVisible();
  const day = dayFromNow(400);
  await form.getByLabel("From", { exact: true }).fill(`${day}T10:00`);
  await form.getByRole("button", { name: "Announce the price" }).click();
  await expect(row).toContainText("5,000 from");
  const list = await (await request.get("/pricing")).text();
  expect(list.replaceAll(/<[^<>]*>/g, "")).toContain(`5,000 from ${dayName(day, "en-US", true)}`);
  await row.getByRole("button", { name: /Withdraw/ }).click();
  await expect(row).not.toContainText("5,000 from");
  await choose("Set the upstream’s price");
  const cost = page.getByRole("dialog", { name: /Upstream’s price/ });
  await cost.getByLabel("Currency").fill("cny");
  await cost.getByLabel("Per million output tokens").fill("20");
  await cost.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("CN¥20.00");
  await page.getByRole("button", { name: "Price of a point" }).click();
  const point = page.getByRole("dialog", { name: "Price of a point" });
  await point.getByLabel("Currency").fill("CNY");
  await point.getByLabel("One point").fill("0.01");
  await point.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("%");
});

test("a setting changes the defaults of a new key; a notice is shown, and stays away once dismissed", async ({
  page,
}) => {
  test.slow();
  await signInAsOperator(page);
  await page.goto("/admin/settings");
  const limit = page.getByRole("listitem").filter({ hasText: "Requests per minute of a new key" });
  await expect(limit).not.toContainText("set here");
  await limit.getByRole("textbox").fill("6001");
  await limit.getByRole("button", { name: "Save" }).click();
  await expect(limit).toContainText("A whole number from 1 to 6000.");
  await limit.getByRole("textbox").fill("61");
  await limit.getByRole("button", { name: "Save" }).click();
  await expect(limit).toContainText("set here");
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await page.getByRole("button", { name: "Create a key" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("61 requests a minute");
  await page.goto("/admin/settings");
  await limit.getByRole("button", { name: "Unset" }).click();
  await expect(limit).not.toContainText("set here");
  await page.getByRole("button", { name: "Post a notice" }).click();
  const form = page.getByRole("dialog", { name: "Post a notice" });
  const text = `Maintenance <b>${Date.now()}</b>`;
  await form.getByLabel("Text in English").fill(text);
  await form.getByLabel("Text in Chinese").fill("维护");
  await form.getByRole("button", { name: "Post it" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: text })).toContainText("shown");
  await expect(async () => {
    await page.goto("/pricing");
    await expect(page.getByRole("complementary", { name: "Notices" })).toContainText(text, {
      timeout: 4000,
    });
  }).toPass({ timeout: 20_000 });
  await page.goto("/points");
  await pointsPageIsAlive(page);
  await expect(page.getByRole("complementary", { name: "Notices" })).toContainText(text);
  await page.getByRole("button", { name: "Dismiss" }).first().click();
  await expect(page.getByText(text)).toHaveCount(0);
  await page.goto("/pricing");
  await expect(page.getByText(text)).toHaveCount(0);
  await page.goto("/admin/settings");
  const posted = page.getByRole("listitem").filter({ hasText: text });
  await posted.getByRole("button", { name: "End it" }).click();
  await expect(posted).toContainText("ended");
});

import { exactPoints } from "@/lib/client/points-display";
import { formatPoints } from "@/lib/money/points";
import { priceOf } from "@/lib/pricing/price";
import {
  chat,
  createKey,
  expect,
  newKey,
  openKeys,
  openPoints,
  relayCommand,
  signInAnew,
  signUp,
  test,
} from "./product";

test("a new user signs up, sees the points, creates a key that is shown once, chats with it and sees the cost", {
  tag: ["@core", "@phone"],
}, async ({ page, baseURL }) => {
  await signUp(page);
  const balance = page.getByRole("region", { name: "Available points" });
  await expect(balance).toContainText("1,000.000000");

  const key = await createKey(page, "production");
  expect(key).toMatch(/^sk-rly-[0-9A-Za-z]{46}$/);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("tabpanel")).toContainText(key);
  // Only the "I saved it" button closes the dialog.
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "I saved it" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: "All keys and their limits" }).click();
  const row = page.getByRole("row", { name: /production/ });
  await expect(row).toContainText(`${key.slice(0, 12)}…${key.slice(-4)}`);
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(key);
  await page
    .getByRole("navigation", { name: "Dashboard" })
    .getByRole("link", { name: /Points/ })
    .click();
  await expect(balance).toContainText("1,000.000000");

  const response = await chat(baseURL, key, "Say hello.");
  const answer = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  const usage = {
    inputTokens: answer.usage.prompt_tokens,
    outputTokens: answer.usage.completion_tokens,
  };
  const cost = formatPoints(
    priceOf(usage, { input: 80_000_000n, output: 800_000_000n }, 1_000_000),
  );

  // Without a reload, the page shows the exact price of the reported usage, to the micropoint.
  const entry = page.getByRole("region", { name: "Entries" }).getByRole("row", { name: /RelayV1/ });
  await expect(entry).toContainText(exactPoints(`-${cost}`), { timeout: 30_000 });
  await expect(entry).toContainText("settled");
  await expect(page.getByRole("region", { name: "Statement" })).toContainText(
    "Adds up, to the micropoint",
  );
  await expect(page.getByRole("region", { name: "Statement" })).toContainText(
    exactPoints(`-${cost}`),
  );
});

test("a request that fails upstream is shown as released and not charged", {
  tag: "@phone",
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "failing");
  const response = await chat(baseURL, key, "[[fail]]");
  expect(response.status).toBeGreaterThanOrEqual(500);
  await page.goto("/points");
  const entry = page.getByRole("region", { name: "Entries" }).getByRole("row", { name: /RelayV1/ });
  await expect(entry).toContainText("not charged");
  await expect(page.getByRole("region", { name: "Available points" })).toContainText(
    "1,000.000000",
  );
});

test("held points are shown apart from available ones while a request runs", {
  tag: "@phone",
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "slow");
  const running = chat(baseURL, key, "[[delay:20]] Take your time.");
  const balance = page.getByRole("region", { name: "Available points" });
  await expect(async () => {
    await page.goto("/points");
    await expect(balance).toContainText("held by 1 running request", { timeout: 4000 });
  }).toPass({ timeout: 18_000 });
  await expect(page.getByRole("region", { name: "Entries" })).toContainText("running");
  expect((await running).status).toBe(200);
  await expect(balance).not.toContainText("running request", { timeout: 20_000 });
});

test("a key's limits can be changed, it can be replaced, and revoked by typing its name", {
  tag: ["@core", "@phone"],
}, async ({ page, baseURL }) => {
  await openKeys(page);
  const first = await createKey(page, "nightly");
  await page.getByRole("button", { name: "I saved it" }).click();

  await page.getByRole("button", { name: "Actions for nightly" }).click();
  await page.getByRole("menuitem", { name: "Change limits" }).click();
  await page.getByLabel("Requests per minute").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Requests per minute")).toBeFocused();
  await page.getByLabel("Requests per minute").fill("5");
  await page.getByLabel("Budget, in points").fill("12.5");
  await page.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row", { name: /nightly/ });
  await expect(row).toContainText("0.00 of 12.50 points");
  await expect(row).toContainText("5 requests / min");

  await page.getByRole("button", { name: "Actions for nightly" }).click();
  await page.getByRole("menuitem", { name: "Replace" }).click();
  await page.getByLabel("is revoked as soon as").check();
  await page.getByRole("button", { name: "Create the new key" }).click();
  const second = await page.getByRole("textbox", { name: "your key" }).inputValue();
  expect(second).not.toBe(first);
  await page.getByRole("button", { name: "I saved it" }).click();
  await expect(row.filter({ hasText: "active" })).toHaveCount(1);
  await expect(row.filter({ hasText: "revoked" })).toHaveCount(1);
  await expect
    .poll(async () => (await chat(baseURL, first, "Hi.")).status, { timeout: 6000 })
    .toBe(401);
  expect((await chat(baseURL, second, "Hi.")).status).toBe(200);

  await page.getByRole("button", { name: "Actions for nightly" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  const revoke = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
  await expect(revoke).toBeDisabled();
  await page.getByLabel("Type nightly to confirm").fill("nightly");
  await revoke.click();
  await expect(row.filter({ hasText: "revoked" })).toHaveCount(2);
  await expect
    .poll(async () => (await chat(baseURL, second, "Hi.")).status, { timeout: 6000 })
    .toBe(401);
});

test("a key that spends too fast is paused within seconds, says so, and can be resumed by its owner", {
  tag: "@phone",
}, async ({ page, baseURL }) => {
  await openKeys(page);
  const key = await createKey(page, "nightly batch");
  await page.getByRole("button", { name: "I saved it" }).click();
  await page.getByRole("button", { name: "Actions for nightly batch" }).click();
  await page.getByRole("menuitem", { name: "Change limits" }).click();
  await page.getByLabel("Pause if hourly spend exceeds").fill("0.0001");
  await page.getByRole("button", { name: "Save" }).click();
  const row = page
    .getByRole("row")
    .filter({ hasText: "nightly batch" })
    .filter({ hasText: "sk-rly-" });
  await expect(row).toContainText("paused above 0.0001 points an hour");
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await expect
    .poll(async () => (await chat(baseURL, key, "[[status:503]]")).status, { timeout: 20_000 })
    .toBe(403);
  const refused = await (await chat(baseURL, key, "Say hello.")).json();
  expect(refused.error).toMatchObject({ code: "api_key_paused", type: "permission_error" });
  await page.reload();
  await expect(row).toContainText(/It spent [\d.]+ points within an hour/);
  await row.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("“nightly batch” is active again")).toBeVisible();
  await expect
    .poll(async () => (await chat(baseURL, key, "[[status:503]]")).status, { timeout: 20_000 })
    .toBe(502);
});

test("a voucher adds its points once", { tag: ["@core", "@phone"] }, async ({
  page,
  allowStatus,
}) => {
  const { vouchers } = (await relayCommand("voucher", "create", "--points", "50")) as {
    vouchers: [string];
  };
  await openPoints(page);
  const redeem = async (code: string) => {
    await page.getByRole("button", { name: "Redeem a voucher" }).click();
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Add the points" }).click();
  };
  await redeem(vouchers[0].toLowerCase());
  await expect(page.getByText("50.00 points added.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Available points" })).toContainText(
    "1,050.000000",
  );
  await expect(
    page.getByRole("region", { name: "Entries" }).getByRole("row", { name: /Voucher/ }),
  ).toContainText("+50.000000");

  for (const status of [400, 404, 409]) allowStatus(status);
  await redeem(vouchers[0]);
  await expect(page.getByLabel("Code")).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Available points" })).toContainText(
    "1,050.000000",
  );
});

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { exactPoints } from "@/lib/client/points-display";
import { formatPoints } from "@/lib/money/points";
import { priceOf } from "@/lib/pricing/price";
import { chat, expect, follow, newKey, signInAnew, signUp, test } from "./product";

async function download(page: Page, name: string): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name }).click(),
  ]);
  return (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
}

test("usage lists every request, filters them by the URL, explains a charge, and exports exactly the filtered rows", {
  tag: ["@core", "@phone"],
}, async ({ page, baseURL }) => {
  const email = await signInAnew(page);
  const [first, second] = [await newKey(email, "production"), await newKey(email, "nightly")];
  const answer = await (await chat(baseURL, first, "Say hello.")).json();
  expect((await chat(baseURL, second, "Say hello.")).status).toBe(200);
  expect((await chat(baseURL, second, "[[fail]]")).status).toBeGreaterThanOrEqual(500);

  await page.goto("/usage");
  const requests = page.getByRole("region", { name: "Requests" });
  const rows = requests.getByRole("row", { name: /RelayV1/ });
  await expect(rows).toHaveCount(3);
  const totals = requests.getByText("Not charged", { exact: true }).locator("..");
  await expect(totals).toContainText("1");

  await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Not charged" });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("not charged");
  await expect(page).toHaveURL(/status=released/);
  await page.goBack();
  await expect(rows).toHaveCount(3);

  await page
    .getByRole("combobox", { name: "Key" })
    .selectOption({ label: `production (…${first.slice(-4)})` });
  await expect(rows).toHaveCount(1);
  const lines = await download(page, "Save as CSV");
  expect(lines).toHaveLength(2);
  const usage = {
    inputTokens: answer.usage.prompt_tokens,
    outputTokens: answer.usage.completion_tokens,
  };
  const cost = formatPoints(
    priceOf(usage, { input: 80_000_000n, output: 800_000_000n }, 1_000_000),
  );
  expect(lines[1]).toContain(
    `,production,api,RelayV1,text,settled,,${usage.inputTokens},${usage.outputTokens},`,
  );
  expect(lines[1]).toContain(cost);

  await rows.getByRole("link", { name: /RelayV1/ }).click();
  const detail = page.getByRole("dialog", { name: "Request" });
  await expect(detail).toContainText(exactPoints(cost));
  await expect(detail).toContainText(`${usage.inputTokens} × 80`);
  await expect(detail).toContainText(`${usage.outputTokens} × 800`);
  // The hold of a text is the most that it could have cost, and is shown as that.
  const steps = detail.getByRole("list", { name: "Cost, step by step" });
  await expect(steps).toContainText("quotedper token");
  await expect(steps).toContainText(/heldup to \d/);
  // The URL is permanent.
  await page.reload();
  await expect(detail).toContainText(exactPoints(cost));
  await page.keyboard.press("Escape");
  await expect(detail).toBeHidden();
  await expect(rows).toHaveCount(1);
});

test("a failed request shows the reason and that it was not charged", { tag: "@phone" }, async ({
  page,
  baseURL,
}) => {
  const key = await newKey(await signInAnew(page), "failing");
  await chat(baseURL, key, "[[fail]]");
  await page.goto("/usage");
  await page
    .getByRole("region", { name: "Requests" })
    .getByRole("link", { name: /RelayV1/ })
    .click();
  const detail = page.getByRole("dialog", { name: "Request" });
  await expect(detail).toContainText("Not charged. The held points were released.");
  await expect(detail).toContainText("upstream");
});

test("another account's request is not found", async ({ page, browser, baseURL, allowStatus }) => {
  const key = await newKey(await signInAnew(page), "mine");
  await chat(baseURL, key, "Say hello.");
  await page.goto("/usage");
  await page
    .getByRole("region", { name: "Requests" })
    .getByRole("link", { name: /RelayV1/ })
    .click();
  await expect(page).toHaveURL(/request=/);
  const address = page.url();
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const stranger = await context.newPage();
  await signUp(stranger);
  await stranger.goto(address);
  await expect(stranger.getByRole("dialog", { name: "Request" })).toContainText(
    "Not found, or not yours.",
  );
  await context.close();
  allowStatus(404);
});

test("the overview leads a new user to the first request, and then shows its cost and what runs", {
  tag: "@phone",
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "first");
  await page.goto("/overview");
  const start = page.getByRole("region", { name: "Get your first answer" });
  await expect(start).toContainText(`${baseURL}/v1`);
  await expect(page.getByRole("region", { name: "Running now" })).toContainText(
    "Nothing is running",
  );
  const slow = chat(baseURL, key, "[[delay:20]] Take your time.");
  const running = page.getByRole("region", { name: "Running now" });
  await expect(async () => {
    await page.reload();
    await expect(running).toContainText("RelayV1", { timeout: 8000 });
  }).toPass({ timeout: 18_000 });
  expect((await slow).status).toBe(200);
  await expect(start).toBeHidden({ timeout: 15_000 });
  await expect(page.getByRole("region", { name: "Running now" })).toContainText(
    "Nothing is running",
  );
  const spend = page.getByRole("region", { name: "Spend" });
  await expect(spend).toContainText(/Last 7 days: 0\.\d+ points, the 7 before: 0\.00/);
  await expect(
    page.getByRole("region", { name: "Last requests" }).getByRole("link", { name: /RelayV1/ }),
  ).toHaveCount(1);
  await spend
    .getByRole("group", { name: "Points charged by day" })
    .getByRole("button")
    .last()
    .click();
  await expect(page).toHaveURL(/\/usage\?days=30&day=/);
  await expect(
    page.getByRole("region", { name: "Requests" }).getByRole("row", { name: /RelayV1/ }),
  ).toHaveCount(1);
});

test("a statement of a date range adds up, and its file has the balance up to the closing line", {
  tag: ["@core", "@phone"],
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "booked");
  const { usage } = await (await chat(baseURL, key, "Say hello.")).json();
  const cost = priceOf(
    { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
    { input: 80_000_000n, output: 800_000_000n },
    1_000_000,
  );
  const closing = formatPoints(1_000_000_000n - cost);
  await page.goto("/points");
  await page.getByRole("button", { name: "By dates" }).click();
  const statement = page.getByRole("dialog", { name: "Statement by dates" });
  await expect(statement).toContainText(exactPoints(closing));
  await expect(statement.getByLabel("Adds up, to the micropoint")).toBeVisible();
  const lines = await download(page, "Save as CSV");
  expect(lines[0]).toBe(
    "\ufeffday_utc,kind,model,key,requests,reason,unit,quantity,points,balance_points",
  );
  const [charged, ...rest] = lines.slice(lines.findIndex((line) => line.includes(",charge,")));
  expect(charged).toContain(`,charge,RelayV1,booked,1,,,,${formatPoints(-cost)},${closing}`);
  expect(rest.map((line) => line.slice(line.indexOf(",")))).toEqual([
    `,counted,RelayV1,,,,input_token,${usage.prompt_tokens},,${closing}`,
    `,counted,RelayV1,,,,output_token,${usage.completion_tokens},,${closing}`,
    `,counted,RelayV1,,,,request,1,,${closing}`,
    `,closing,,,,,,,,${closing}`,
  ]);
  await statement.getByLabel("From").fill("2020-01-01");
  await expect(statement).toContainText("The first day must come first");
  await follow(page, "/keys");
  await expect(
    page
      .getByRole("row", { name: /booked/ })
      .getByRole("img", { name: /Last 14 days/ })
      .first(),
  ).toBeVisible();
});

test("an image and a video are in the usage with the cost of their tokens, and the dialect filters it", async ({
  page,
  baseURL,
}) => {
  const key = await newKey(await signInAnew(page), "media");
  const ask = (path: string, body: object) =>
    fetch(`${baseURL}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect(
    (await ask("images/generations", { model: "super-relay-img", prompt: "A fox" })).status,
  ).toBe(200);
  const content = [{ type: "text", text: "A fox runs --rs 480p --dur 5" }];
  expect(
    (await ask("contents/generations/tasks", { model: "super-relay-fast", content })).status,
  ).toBe(200);

  await page.goto("/usage");
  const requests = page.getByRole("region", { name: "Requests" });
  for (const { id, price } of [
    { id: "Super-Relay-Image", price: 1_220_000_000n },
    { id: "Super-RelayFast", price: 420_000_000n },
  ]) {
    await requests.getByRole("link", { name: new RegExp(id) }).click();
    const detail = page.getByRole("dialog", { name: "Request" });
    await expect(detail).toContainText("How it was counted", { timeout: 45_000 });
    const tokens = Number(
      /([\d,]+) × /.exec((await detail.textContent()) ?? "")?.[1]?.replaceAll(",", ""),
    );
    const cost = formatPoints(
      priceOf({ inputTokens: 0, outputTokens: tokens }, { input: 0n, output: price }, 1_000_000),
    );
    await expect(detail).toContainText(exactPoints(cost));
    await page.keyboard.press("Escape");
    await expect(detail).toBeHidden();
    await expect(requests.getByRole("row", { name: new RegExp(id) })).toContainText(
      exactPoints(`-${cost}`),
      { timeout: 15_000 },
    );
  }

  const messages = [{ role: "user", content: "Say hello." }];
  expect((await ask("messages", { model: "relay-v1", max_tokens: 20, messages })).status).toBe(200);
  await page.getByRole("combobox", { name: "Dialect" }).selectOption("Messages API");
  const filtered = requests.getByRole("row", { name: /Relay/ });
  await expect(filtered).toHaveCount(1);
  await expect(filtered).toContainText("RelayV1");
});

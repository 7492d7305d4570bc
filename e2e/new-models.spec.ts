/** Models that an operator made from files, as customers see and order them: qualities, listed sizes and lengths, a last frame. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { image, open, relay, test, video } from "./made-models";
import { expect } from "./product";
import { quotedIn } from "./studio-page";

test.describe.configure({ mode: "serial" });

const optionsOf = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).locator("option").allTextContents();

test("an image is ordered in a quality and a listed size, and repeated with them", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground/image");
  await expect(page.getByLabel("Quality")).toHaveCount(0);
  await page.getByLabel("Model", { exact: true }).selectOption(image.id);
  expect(await optionsOf(page, "Quality")).toEqual(["standard", "high"]);
  expect(await optionsOf(page, "Size")).toEqual(["512 × 512", "768 × 512"]);
  await expect(page.getByRole("radio", { name: "Exact size" })).toHaveCount(0);
  await page.getByLabel("Prompt").fill("A hare on a hill");
  await expect(quotedIn(page)).toContainText("8.000000");
  await page.getByLabel("Quality").selectOption("high");
  await page.getByLabel("Size").selectOption("768x512");
  await expect(quotedIn(page)).toContainText("21.000000");
  await assertFine(page, "the image playground");
  await page.getByRole("button", { name: "Make the image" }).click();
  const result = page.getByRole("article", { name: /^Image by acme-image/ }).first();
  await expect(result).toContainText("settled", { timeout: 40_000 });
  await page.getByLabel("Quality").selectOption("standard");
  await result.getByRole("button", { name: "Use these settings again" }).click();
  await expect(page.getByLabel("Quality")).toHaveValue("high");
  await expect(page.getByLabel("Size")).toHaveValue("768x512");
  await page.getByLabel("Model", { exact: true }).selectOption("Super-Relay-Image");
  await expect(page.getByLabel("Quality")).toHaveCount(0);
  await page.goto("/tasks");
  await page.getByRole("link", { name: image.id }).first().click();
  await expect(page.getByRole("main")).toContainText("high");
});

test("a video has the listed lengths only, and a last frame beside the first", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground/video");
  await expect(page.getByRole("slider", { name: "Duration" })).toBeVisible();
  await page.getByLabel("Model", { exact: true }).selectOption(video.id);
  expect(await optionsOf(page, "Duration")).toEqual(["4 s", "8 s", "12 s"]);
  // The five seconds of the model before are none of this one's.
  await expect(page.getByLabel("Duration")).toHaveValue("8");
  await page.getByLabel("Prompt").fill("A boat");
  await expect(quotedIn(page)).toContainText("40.000000");
  await page.getByLabel("Duration").selectOption("4");
  await expect(quotedIn(page)).toContainText("20.000000");
  const png = { name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(3000, 7) };
  await page.getByText("First frame").first().click();
  await page.getByLabel("Choose from this device").first().setInputFiles(png);
  await page.getByText("Last frame", { exact: true }).first().click();
  await page.getByLabel("Choose from this device").last().setInputFiles(png);
  await expect(page.getByRole("img", { name: "Image 1" })).toHaveCount(2);
  await assertFine(page, "the video playground");
  await page.getByRole("button", { name: "Make the video" }).click();
  const result = page.getByRole("article", { name: /^Video by/ }).first();
  await expect(result).toContainText("settled", { timeout: 60_000 });
  await expect(result).toContainText("settled20.00");
});

test("model pages, price page and calculator have them, in both languages", async ({ page }) => {
  await page.goto(`/models/${image.id}`);
  const main = page.getByRole("main");
  await expect(main).toContainText("standard, high; standard by default");
  await expect(main).toContainText("512 × 512, 768 × 512; 512 × 512 by default");
  await expect(main).toContainText('"size": "512x512"');
  await assertFine(page, "the image model");
  await page.goto(`/models/${video.id}`);
  await expect(main).toContainText("4, 8, 12 seconds; 8 by default");
  await expect(main).toContainText("--resolution 480p --duration 8");
  await expect(page.getByRole("columnheader", { name: "Request" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Tokens" })).toHaveCount(0);
  for (const size of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(size);
    await page.goto("/pricing");
    await page.getByRole("radio", { name: "Image" }).check({ force: true });
    await page.getByLabel("Model", { exact: true }).selectOption(image.id);
    await page.getByLabel("Quality").selectOption("high");
    await expect(main).toContainText("20.000000");
    await assertFine(page, "the calculator");
    const calculator = page.getByRole("region", { name: "What will it cost?" });
    await page.getByRole("radio", { name: "Video" }).check({ force: true });
    await page.getByLabel("Model", { exact: true }).selectOption(video.id);
    await expect(calculator).toContainText("8 × 5 per second");
    await expect(calculator).not.toContainText("tokens");
  }
  await inLanguage(page, "zh-CN");
  await page.goto(`/models/${image.id}`);
  await assertChinese(page, "the image model");
});

test("a long list is searched and read by pages, and the calculator follows the search", async ({
  page,
  served,
}) => {
  test.slow();
  await page.goto("/models");
  const listed = page
    .getByRole("table", { name: /models/i })
    .getByRole("cell")
    .getByRole("link");
  await expect(listed.first()).toBeVisible();
  const count = 52 + (await listed.count());
  const folder = mkdtempSync(join(tmpdir(), "relay-models-"));
  for (let at = 1; at <= 52; at++) {
    const id = `long-${String(at).padStart(2, "0")}`;
    const from = join(folder, `${id}.json`);
    const rates = [{ unit: "output_token", points: at }];
    const spec = { output_tokens_max: 1000 };
    writeFileSync(from, JSON.stringify({ id, family: "text", spec, rates }));
    await relay(served, "model", "create", "--from", from);
    await relay(served, "model", "offer", "--id", id, "--anyway", "for a test");
  }
  rmSync(folder, { recursive: true });
  for (const [path, table] of [
    ["/pricing", page.getByRole("table", { name: "Price list" })],
    ["/models", page.getByRole("table", { name: /models/i })],
  ] as const) {
    await expect(async () => {
      await page.goto(path);
      await expect(page.getByText(`1–50 of ${count}`)).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 20_000 });
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByText(`51–${count} of ${count}`)).toBeVisible();
    await expect(table.getByRole("cell").getByRole("link")).toHaveCount(count - 50);
    await page.getByRole("searchbox", { name: "Search models" }).fill("long 52");
    await expect(table.getByRole("cell").getByRole("link")).toHaveText([/long-52/]);
    await expect(page).toHaveURL(/[?&]q=long\+52$/);
    await page.setViewportSize(sizes.phone);
    await page.goto(`${path}?page=9&family=text&q=long`);
    await expect(page.getByText("51–52 of 52")).toBeVisible();
    await assertFine(page, `${path}, the last page`);
    await page.setViewportSize(sizes.desktop);
  }
  await page.goto("/pricing?q=long-52");
  const calculator = page.getByRole("region", { name: "What will it cost?" });
  await calculator.getByLabel("Tokens out").fill("1000000");
  await expect(calculator).toContainText("52.000000");
});

test("a price by the second is one on every board, and its change says what changes", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground", "Message");
  const folder = mkdtempSync(join(tmpdir(), "relay-rates-"));
  const from = join(folder, "rates.json");
  writeFileSync(from, JSON.stringify([{ ...video.rates[0], points: 4 }]));
  const effective = new Date(Date.now() + 9 * 86_400_000).toISOString();
  await relay(
    served,
    ...["price", "set", "--model", video.id, "--rates", from, "--effective", effective],
  );
  rmSync(folder, { recursive: true });
  for (const path of ["/models", "/pricing"]) {
    await page.goto(`${path}?q=${video.id}`);
    const row = page.getByRole("row", { name: new RegExp(video.id) });
    await expect(row).toContainText("5 per second · 480p");
  }
  await expect(page.getByText("5 → 4 per second · 480p from")).toBeVisible();
  await page.goto("/overview");
  const changes = page.getByRole("region", { name: "List prices to come" });
  await expect(changes.getByRole("listitem").filter({ hasText: video.id })).toContainText(
    "5 → 4 per second · 480p",
  );
});

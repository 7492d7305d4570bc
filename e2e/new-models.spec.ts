/** Models that an operator made from files, as customers see and order them: what each offers, and nothing else. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { file as series } from "@/testing/relay/image-series";
import { wholeVideo } from "@/testing/relay/whole-video";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { test as base, beginSession, expect, newEmail, password, relayIn } from "./product";
import { type Served, serveInstance } from "./serve-product";
import { quotedIn } from "./studio-page";

const image = {
  id: "acme-image",
  family: "image",
  spec: { sizes: ["512x512", "768x512"], qualities: ["standard", "high"] },
  rates: ["512x512", "768x512"].flatMap((size, at) => [
    { unit: "image", size, quality: "standard", points: 8 + at },
    { unit: "image", size, quality: "high", points: 20 + at },
  ]),
};
const video = {
  id: "acme-video",
  family: "video",
  spec: { durations: [8, 4, 12], resolutions: ["480p"], ratios: ["16:9"], last_frame: true },
  rates: [{ unit: "second", resolution: "480p", points: 5 }],
};

const relay = (served: Served, ...words: string[]) => relayIn(served.variables, ...words);

const test = base.extend<object, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => {
      const served = await serveInstance("new-models");
      const folder = mkdtempSync(join(tmpdir(), "relay-models-"));
      for (const file of [image, video, wholeVideo, series]) {
        const from = join(folder, `${file.id}.json`);
        writeFileSync(from, JSON.stringify(file));
        await relay(served, "model", "create", "--from", from);
        await relay(served, "model", "offer", "--id", file.id, "--anyway", "for a test");
      }
      rmSync(folder, { recursive: true });
      await use(served);
      await served.stop();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  baseURL: async ({ served }, use) => use(served.address),
});
test.describe.configure({ mode: "serial" });

async function open(page: Page, served: Served, path: string): Promise<void> {
  const email = newEmail();
  const account = ["account", "create", "--email", email, "--password", password];
  await relay(served, ...account, "--points", "1000");
  await beginSession(page, email);
  await page.goto(path);
  await expect(page.getByLabel("Prompt")).toBeVisible({ timeout: 20_000 });
}

/** The points that the form asks for. */
const costIn = async (page: Page) =>
  Number(/([\d,]+\.\d{6})/.exec((await quotedIn(page).textContent()) ?? "")?.[1]?.replace(",", ""));

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
  const result = page.getByRole("region", { name: /^Image by acme-image/ }).first();
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
  await expect(page.getByText("Last frame")).toHaveCount(0);
  const png = { name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(3000, 7) };
  await page.getByText("First frame").first().click();
  await page.getByLabel("Choose from this device").first().setInputFiles(png);
  await page.getByText("Last frame").first().click();
  await page.getByLabel("Choose from this device").last().setInputFiles(png);
  await expect(page.getByRole("img", { name: "Image 1" })).toHaveCount(2);
  await assertFine(page, "the video playground");
  await page.getByRole("button", { name: "Make the video" }).click();
  const result = page.getByRole("region", { name: /^Video by/ }).first();
  await expect(result).toContainText("settled", { timeout: 60_000 });
  await expect(result).toContainText("settled20.00");
});

test("model pages, price page and calculator have them, in both languages", async ({ page }) => {
  await page.goto(`/models/${image.id}`);
  const main = page.getByRole("main");
  await expect(main).toContainText("standard, high; standard by default");
  await expect(main).toContainText("512×512, 768×512; 512×512 by default");
  await expect(main).toContainText('"size": "512x512"');
  await assertFine(page, "the image model");
  await page.goto(`/models/${video.id}`);
  await expect(main).toContainText("4, 8, 12 seconds; 8 by default");
  await expect(main).toContainText("--resolution 480p --duration 8");
  for (const size of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(size);
    await page.goto("/pricing");
    await page.getByRole("radio", { name: "Image" }).check({ force: true });
    await page.getByLabel("Model", { exact: true }).selectOption(image.id);
    await page.getByLabel("Quality").selectOption("high");
    await expect(main).toContainText("20.000000");
    await assertFine(page, "the calculator");
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
      await expect(page.getByText("1–50 of 62")).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 20_000 });
    await page.getByRole("link", { name: "Next" }).click();
    await expect(page.getByText("51–62 of 62")).toBeVisible();
    await expect(table.getByRole("link")).toHaveCount(12);
    await page.getByRole("searchbox", { name: "Search models" }).fill("long 52");
    await expect(table.getByRole("link")).toHaveText([/long-52/]);
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

test("everything that a video model offers is chosen, priced, ordered and shown", async ({
  page,
  served,
}) => {
  test.slow();
  await open(page, served, "/playground/video");
  await expect(page.getByText("Later, for less")).toHaveCount(0);
  await page.getByLabel("Model", { exact: true }).selectOption(wholeVideo.id);
  await page.getByLabel("Prompt").fill("A boat");
  await page.getByRole("radio", { name: "480p" }).check({ force: true });
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  const now = await costIn(page);
  await expect(page.getByText("Later it would cost")).toBeVisible();
  await page.getByRole("radio", { name: "Later, for less" }).check({ force: true });
  await expect.poll(() => costIn(page)).toBeLessThan(now);
  await page.getByRole("radio", { name: "Model decides" }).check({ force: true });
  await page.getByRole("radio", { name: "adaptive" }).check({ force: true });
  await page.getByText("References", { exact: true }).click();
  await page.getByRole("textbox", { name: "Image" }).fill("https://files.example/fox.png");
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: /^Sounds/ }).check({ force: true });
  await page.getByRole("textbox", { name: "Sound" }).fill("https://files.example/sea.mp3");
  await page.keyboard.press("Enter");
  await page.getByLabel("Web search").check();
  await page.getByText("More settings").click();
  await page.getByLabel("Last frame as a picture").check();
  await assertFine(page, "the studio with everything");
  await page.getByRole("button", { name: "Make the video" }).click();
  const result = page.getByRole("region", { name: /^Video by/ }).first();
  await expect(result).toContainText("settled", { timeout: 60_000 });
  await result.getByRole("link", { name: wholeVideo.id }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("img", { name: /^Last frame of/ })).toBeVisible();
  for (const text of ["later (flex)", "web_search: 1 call", "files.example/sea.mp3"])
    await expect(main).toContainText(text);
  await assertFine(page, "the task's page");
  await main.getByRole("link", { name: "Continue from the last frame" }).click();
  await expect(page).toHaveURL(/\/playground\/video$/);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
});

test("a draft is made first, and its final video from it", async ({ page, served }) => {
  test.slow();
  await open(page, served, "/playground/video");
  await page.getByLabel("Model", { exact: true }).selectOption(wholeVideo.id);
  await page.getByLabel("Prompt").fill("A boat");
  await page.getByRole("radio", { name: "480p" }).check({ force: true });
  await page.getByLabel("Draft first").check();
  await page.getByRole("button", { name: "Make the video" }).click();
  const results = page.getByRole("region", { name: /^Video by/ });
  const final = results.first().getByRole("button", { name: "Make the final video" });
  await final.click({ timeout: 60_000 });
  await expect(page.getByText(/^The final video of the draft/)).toBeVisible();
  await expect(page.getByLabel("Prompt")).toHaveCount(0);
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  await assertFine(page, "the studio with a draft");
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(final).toHaveCount(0);
  await expect(results.first()).toContainText("settled", { timeout: 60_000 });
});

test("several images of one call are quoted together, looked through, and animated", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground/image");
  await page.getByLabel("Model", { exact: true }).selectOption(series.id);
  await page.getByLabel("Prompt").fill("A fox");
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  const one = await costIn(page);
  await page.getByRole("slider", { name: "How many" }).fill("3");
  await expect.poll(() => costIn(page)).toBeGreaterThan(2 * one);
  await assertFine(page, "the image playground with several");
  await page.getByRole("button", { name: /^Make/ }).click();
  const result = page.getByRole("region", { name: /^Image by/ }).first();
  await result.getByRole("button", { name: "Image 3 of 3" }).click({ timeout: 60_000 });
  await expect(result.getByRole("img", { name: /Image 3 of 3/ })).toBeVisible();
  await expect(result.getByRole("link", { name: /^Download image/ })).toHaveCount(3);
  await assertFine(page, "several images");
  await result.getByRole("button", { name: "Animate this image" }).click();
  await expect(page).toHaveURL(/\/playground\/video$/);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
});

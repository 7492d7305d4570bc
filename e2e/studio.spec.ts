import type { Page } from "@playwright/test";
import { violationsOf } from "./fine";
import { expect, signInAnew, test } from "./product";

async function open(page: Page, kind: "video" | "image") {
  await signInAnew(page);
  await page.goto(`/playground/${kind}`);
  await expect(page.getByRole("link", { name: /available/ })).toContainText(/\d/, {
    timeout: 20_000,
  });
  return page.getByLabel("Prompt");
}

const cards = (page: Page) => page.getByRole("region", { name: /^Video by/ });

test("a video is quoted, made, played, and shown after a reload as settled", async ({ page }) => {
  test.slow();
  const prompt = await open(page, "video");
  await page.getByLabel("Duration").fill("3");
  await page.getByLabel("Model").selectOption("Super-Relay2.5");
  await expect(page.getByText("3 s is raised to 5 s", { exact: false })).toBeVisible();
  await expect(page.getByRole("radio", { name: "1080p" })).toHaveCount(0);
  await page.getByRole("radio", { name: "480p" }).check({ force: true });
  const first = { name: "first.png", mimeType: "image/png", buffer: Buffer.alloc(3000, 7) };
  await page.getByLabel("Choose from this device").first().setInputFiles(first);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
  await prompt.fill("A hare on a hill");
  await expect(page.getByText(/^Quoted [\d.,]+ points$/)).toBeVisible();
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(cards(page)).toHaveCount(1);
  await page.goto("/points");
  await page.goto("/playground/video");
  const card = cards(page).first();
  const video = card.locator("video");
  await expect(video).toBeVisible({ timeout: 40_000 });
  // Videos outside the viewport load nothing.
  await video.scrollIntoViewIfNeeded();
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeGreaterThan(0);
  await expect(card.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await expect(card.getByText(/Link works for 23 h more/)).toBeVisible();
  const downloading = page.waitForEvent("download");
  await card.getByRole("link", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.mp4$/);
  await expect(prompt).toHaveValue("");
  await card.getByRole("button", { name: "Use these settings again" }).click();
  await expect(page.getByLabel("Model")).toHaveValue("Super-Relay2.5");
  await expect(prompt).toHaveValue("A hare on a hill");
  await expect(page.getByRole("radio", { name: "480p" })).toBeChecked();
  await expect(
    page.getByText("An image sent from a device is not stored: choose it again."),
  ).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "View as code" }).click();
  const code = page.getByRole("dialog", { name: "Request as code" });
  await expect(code).toContainText('"text": "A hare on a hill"');
  await code.getByRole("tab", { name: "Python" }).click();
  await expect(code).toContainText("requests.post(");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await card.getByRole("link", { name: "Super-Relay2.5" }).click();
  await expect(page.getByRole("heading", { name: "Video", level: 1 })).toBeVisible();
});

test("a failed video shows the reason and that it is not charged", async ({ page }) => {
  const prompt = await open(page, "video");
  await prompt.fill("[[fail]] A hare");
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(cards(page).first().getByText("Not charged.")).toBeVisible({ timeout: 40_000 });
  await expect(cards(page).first().getByRole("list", { name: "Cost, step by step" })).toContainText(
    "released",
  );
});

test("an image is priced by its pixels, made, shown and settled", async ({ page }) => {
  const prompt = await open(page, "image");
  await prompt.fill("A fox in the snow");
  await expect(page.getByText(/^Quoted [\d.,]+ points$/)).toBeVisible();
  await page.getByRole("radio", { name: "Exact size" }).check({ force: true });
  await expect(page.getByLabel("Ratio", { exact: true }).and(page.locator("select"))).toHaveCount(
    0,
  );
  await page.getByLabel("Width").fill("100");
  await expect(page.getByText("From 512 to 4096.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make the image" })).toBeDisabled();
  await page.getByLabel("Width").fill("640");
  await page.getByLabel("Height").fill("512");
  await expect(page.getByText("640 × 512 = 327,680 pixels")).toBeVisible();
  const quoted = page.getByText(/^Quoted [\d.,]+ points$/);
  await expect(quoted).toBeVisible();
  await page.getByRole("button", { name: "Make the image" }).click();
  const card = page.getByRole("region", { name: /^Image by/ });
  const picture = card.getByRole("img");
  await expect(picture).toBeVisible({ timeout: 30_000 });
  await expect
    .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(640);
  await expect(card.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await page.reload();
  await expect(picture).toBeVisible();
  await expect(prompt).toHaveValue("");
  await card.getByRole("button", { name: "Use these settings again" }).click();
  await expect(prompt).toHaveValue("A fox in the snow");
  await expect(page.getByLabel("Width")).toHaveValue("640");
  expect(await violationsOf(page)).toEqual([]);
});

test("a failed image shows the reason and that it is not charged", { tag: "@any-size" }, async ({
  page,
  allowStatus,
}) => {
  allowStatus(502);
  const prompt = await open(page, "image");
  await prompt.fill("[[fail]] A fox");
  await page.getByRole("button", { name: "Make the image" }).click();
  await expect(
    page.getByRole("region", { name: /^Image by/ }).getByText("Not charged."),
  ).toBeVisible({
    timeout: 30_000,
  });
});

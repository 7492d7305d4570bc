import type { Page } from "@playwright/test";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { assertDoesNotScroll, violationsOf } from "./fine";
import { expect, test } from "./product";
import { isPhone, openStudio, quotedIn, withFields } from "./studio-page";

const results = (page: Page) => page.getByRole("article", { name: /^Video by/ });
const png = (name: string) => ({ name, mimeType: "image/png", buffer: Buffer.alloc(3000, 7) });
const cost = "Cost, step by step";

test("a video is quoted, made, played, and shown after a reload as settled", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  test.slow();
  const prompt = await openStudio(page, "video");
  await withFields(page, async (fields) => {
    await fields.getByLabel("Duration").fill("3");
    await fields.getByLabel("Model", { exact: true }).selectOption("Super-Relay2.5");
    await expect(fields.getByText("3 s is raised to 5 s", { exact: false })).toBeVisible();
    await expect(fields.getByRole("radio", { name: "1080p" })).toBeDisabled();
    await fields.getByRole("radio", { name: "480p" }).check({ force: true });
    await fields.getByText("First frame").first().click();
    await fields.getByLabel("Choose from this device").first().setInputFiles(png("first.png"));
    await expect(fields.getByRole("img", { name: "Image 1" })).toBeVisible();
  });
  await prompt.fill("A hare on a hill");
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(results(page)).toHaveCount(1);
  await page.reload();
  const result = results(page).first();
  const video = result.locator("video");
  await expect(video).toBeVisible({ timeout: 40_000 });
  await expect
    .poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState))
    .toBeGreaterThan(0);
  await expect(result.getByRole("list", { name: cost })).toContainText("settled");
  await expect(result.getByText(/Link works for 23 h more/)).toBeVisible();
  const downloading = page.waitForEvent("download");
  await result.getByRole("link", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.mp4$/);
  await expect(prompt).toHaveValue("");
  await result.getByRole("button", { name: "Use these settings again" }).click();
  await expect(prompt).toHaveValue("A hare on a hill");
  await expect(
    page.getByText("An image sent from a device is not stored: choose it again."),
  ).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await withFields(page, async (fields) => {
    await expect(fields.getByLabel("Model", { exact: true })).toHaveValue("Super-Relay2.5");
    await expect(fields.getByRole("radio", { name: "480p" })).toBeChecked();
    if (isPhone(page)) expect(await violationsOf(page)).toEqual([]);
  });
  await page.getByRole("button", { name: "View as code" }).click();
  const code = page.getByRole("dialog", { name: "Request as code" });
  await expect(code).toContainText('"text": "A hare on a hill"');
  await code.getByRole("tab", { name: "Python" }).click();
  await expect(code).toContainText("requests.post(");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await result.getByRole("link", { name: "Super-Relay2.5" }).click();
  await expect(page.getByRole("heading", { name: "Video", level: 1 })).toBeVisible();
});

test("the page does not scroll below the studio, with a wall of videos", { tag: "@phone" }, async ({
  page,
}) => {
  await openStudio(page, "video");
  await page.evaluate(async (path) => {
    const content = [{ type: "text", text: "[[queue:600]] A heron" }];
    const body = JSON.stringify({ model: "super-relay-fast", content, resolution: "480p" });
    for (let order = 0; order < 8; order++)
      await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body });
  }, `${PLAYGROUND_PATH}/v1/contents/generations/tasks`);
  await page.reload();
  await expect(page.getByText("8 running")).toBeAttached();
  await assertDoesNotScroll(page);
});

test("a video that fails says why and that it is not charged", { tag: "@phone" }, async ({
  page,
}) => {
  const prompt = await openStudio(page, "video");
  await prompt.fill("[[fail]] A hare");
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(results(page).first().getByText("Not charged.")).toBeVisible({ timeout: 40_000 });
  await expect(results(page).first().getByRole("list", { name: cost })).toContainText("released");
});

test("an image is priced by its pixels, made, shown and settled", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  const prompt = await openStudio(page, "image");
  await prompt.fill("A fox in the snow");
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  await withFields(page, async (fields) => {
    await fields.getByRole("radio", { name: "Exact size" }).check({ force: true });
    await expect(fields.getByRole("radio", { name: "16:9" })).toHaveCount(0);
    await fields.getByLabel("Width").fill("100");
    await expect(fields.getByText("From 512 to 4096.")).toBeVisible();
  });
  await expect(page.getByRole("button", { name: "Make the image" })).toBeDisabled();
  await withFields(page, async (fields) => {
    await fields.getByLabel("Width").fill("640");
    await fields.getByLabel("Height").fill("512");
    await expect(fields.getByText("640 × 512 = 327,680 pixels")).toBeVisible();
  });
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  await page.getByRole("button", { name: "Make the image" }).click();
  const result = page.getByRole("article", { name: /^Image by/ });
  const picture = result.getByRole("img");
  await expect(picture).toBeVisible({ timeout: 30_000 });
  await expect
    .poll(() => picture.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(640);
  await expect(result.getByRole("list", { name: cost })).toContainText("settled");
  await page.reload();
  await expect(picture).toBeVisible();
  await expect(prompt).toHaveValue("");
  await result.getByRole("button", { name: "Use these settings again" }).click();
  await expect(prompt).toHaveValue("A fox in the snow");
  await withFields(page, (fields) => expect(fields.getByLabel("Width")).toHaveValue("640"));
  expect(await violationsOf(page)).toEqual([]);
});

test("a failed image shows the reason and that it is not charged", async ({
  page,
  allowStatus,
}) => {
  allowStatus(502);
  const prompt = await openStudio(page, "image");
  await prompt.fill("[[fail]] A fox");
  await page.getByRole("button", { name: "Make the image" }).click();
  await expect(
    page.getByRole("article", { name: /^Image by/ }).getByText("Not charged."),
  ).toBeVisible({ timeout: 30_000 });
});

test("what was sent takes the focus and stands on the stage, in sight", { tag: "@phone" }, async ({
  page,
}) => {
  const prompt = await openStudio(page, "video");
  await prompt.fill("[[queue:600]] A hare");
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(results(page)).toBeFocused();
  await expect(results(page).getByText("Queued").first()).toBeInViewport();
  // On the wall it can be found again, and it is the one that is shown.
  await expect(page.getByRole("button", { name: /^Show Video by/ })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("two models make the same prompt side by side, for the sum of both prices", {
  tag: "@core",
}, async ({ page }) => {
  const prompt = await openStudio(page, "video");
  await prompt.fill("[[queue:600]] A hare");
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  const amount = async () =>
    Number(
      /([\d,]+\.\d{6})/.exec((await quotedIn(page).textContent()) ?? "")?.[1]?.replace(",", ""),
    );
  const larger = await amount();
  await page.getByRole("radio", { name: "480p" }).check({ force: true });
  await expect.poll(amount).toBeLessThan(larger);
  const one = await amount();
  await page.getByRole("button", { name: "Compare two models" }).click();
  await page.getByLabel("Compare with").selectOption("Super-RelayFast");
  await expect.poll(amount).toBeGreaterThan(one);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Make both videos" }).click();
  await expect(results(page)).toHaveCount(2);
  await expect(results(page).nth(0)).toContainText("Super-Relay");
  await expect(results(page).nth(1)).toContainText("Super-RelayFast");
  const [left, right] = await Promise.all([
    results(page).nth(0).boundingBox(),
    results(page).nth(1).boundingBox(),
  ]);
  expect(left?.y).toBe(right?.y);
});

test("four images are four calls, with one click and one sum", async ({ page }) => {
  const prompt = await openStudio(page, "image");
  await page.getByRole("radio", { name: "Exact size" }).check({ force: true });
  await page.getByLabel("Width").fill("512");
  await page.getByLabel("Height").fill("512");
  await page.getByRole("radio", { name: "4", exact: true }).check({ force: true });
  await prompt.fill("A fox");
  await expect(page.getByText("4 calls, each quoted and charged by itself.")).toBeVisible();
  await page.getByRole("button", { name: "Make 4 images" }).click();
  const images = page.getByRole("article", { name: /^Image by/ });
  await expect(images.getByRole("img")).toHaveCount(4, { timeout: 30_000 });
  await expect(images.getByText("settled")).toHaveCount(4);
  expect(await violationsOf(page)).toEqual([]);
});

test("a picture is dropped, pasted, and made the first frame of a video", async ({ page }) => {
  const prompt = await openStudio(page, "image");
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from({ length: 3000 }, () => 7);
    data.items.add(new File([bytes], "a.png", { type: "image/png" }));
    return data;
  });
  await page.getByText("Reference images").first().click();
  await page.getByText("Drop, paste or choose an image").dispatchEvent("drop", {
    dataTransfer: transfer,
  });
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
  await page.getByRole("button", { name: "Remove image 1" }).click();
  await prompt.evaluate((element, data) => {
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
    element.dispatchEvent(event);
  }, transfer);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
  await page.getByRole("button", { name: "Remove image 1" }).click();
  await prompt.fill("A fox");
  await page.getByRole("button", { name: "Make the image" }).click();
  const result = page.getByRole("article", { name: /^Image by/ });
  await expect(result.getByRole("img")).toBeVisible({ timeout: 30_000 });
  await result.getByRole("button", { name: "Animate this image" }).click();
  await expect(page).toHaveURL(/\/playground\/video$/);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
});

test("results are looked through by keyboard, large", async ({ page }) => {
  const prompt = await openStudio(page, "image");
  await page.getByRole("radio", { name: "Exact size" }).check({ force: true });
  await page.getByLabel("Width").fill("512");
  await page.getByLabel("Height").fill("512");
  await page.getByRole("radio", { name: "2", exact: true }).check({ force: true });
  await prompt.fill("A fox");
  await page.keyboard.press("Control+Enter");
  const images = page.getByRole("article", { name: /^Image by/ });
  await expect(images.getByRole("img")).toHaveCount(2, { timeout: 30_000 });
  await images.first().getByRole("button", { name: "Enlarge" }).click();
  const large = page.getByRole("dialog");
  await expect(large).toContainText("1 of 2");
  await page.keyboard.press("ArrowRight");
  await expect(large).toContainText("2 of 2");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(images.first().getByRole("button", { name: "Enlarge" })).toBeFocused();
});

for (const height of [900, 720])
  test(`at ${height} pixels of height quote and button are in sight for every model and state`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: height === 900 ? 1440 : 1280, height });
    const prompt = await openStudio(page, "video");
    const model = page.getByLabel("Model", { exact: true });
    const button = page.getByRole("button", { name: /^Make (the|both) video/ });
    const inSight = async () => {
      await expect(button).toBeInViewport({ ratio: 1 });
      await expect(quotedIn(page)).toBeInViewport({ ratio: 1 });
    };
    await prompt.fill("A hare on a hill. ".repeat(200));
    for (const { value } of await model.evaluate((element: HTMLSelectElement) =>
      [...element.options].map((option) => ({ value: option.value })),
    )) {
      await model.selectOption(value);
      await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
      await inSight();
    }
    await page.getByRole("button", { name: "Compare two models" }).click();
    for (const summary of await page.locator("main details > summary").all()) await summary.click();
    await inSight();
    const files = ["1", "2", "3"].map((name) => ({
      ...png(`${name}.png`),
      buffer: Buffer.alloc(3000, Number(name)),
    }));
    await page.getByLabel("Choose from this device").last().setInputFiles(files);
    await expect(page.getByRole("img", { name: "Image 3" })).toBeVisible();
    await inSight();
  });

test("the sandbox says that it answers, and what it can be told", { tag: "@phone" }, async ({
  page,
}) => {
  await openStudio(page, "video");
  const banner = page.getByRole("region", { name: "Sandbox" });
  await expect(banner).toContainText("Clips here are test clips.");
  await banner.getByRole("button", { name: "What the sandbox does" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("[[fail:audio]]");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(banner.getByRole("button")).toBeFocused();
});

test("a demo account leads from the login page into the studio", async ({ page }) => {
  await page.goto("/login");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Try with a demo account" }).click();
  await expect(page).toHaveURL(/\/playground\/video$/);
  await expect(page.getByText("Your video will appear here.")).toBeVisible({ timeout: 20_000 });
});

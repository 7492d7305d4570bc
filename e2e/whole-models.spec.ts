/** Models that offer everything: it is chosen, priced, ordered, shown and used for the next result. */
import type { Page } from "@playwright/test";
import { entryEndpoints } from "@/lib/contract/entries";
import { file as series } from "@/testing/relay/image-series";
import { wholeVideo } from "@/testing/relay/whole-video";
import { assertFine } from "./fine";
import { open, test, text } from "./made-models";
import { expect } from "./product";
import { quotedIn } from "./studio-page";

test.describe.configure({ mode: "serial" });

/** The points that the form asks for. */
const costIn = async (page: Page) =>
  Number(/([\d,]+\.\d{6})/.exec((await quotedIn(page).textContent()) ?? "")?.[1]?.replace(",", ""));

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
  const result = page.getByRole("article", { name: /^Video by/ }).first();
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
  const results = page.getByRole("article", { name: /^Video by/ });
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
  await page.getByLabel("Prompt", { exact: true }).fill("A fox");
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  const one = await costIn(page);
  await page.getByRole("slider", { name: "How many" }).fill("3");
  await expect.poll(() => costIn(page)).toBeGreaterThan(2 * one);
  await assertFine(page, "the image playground with several");
  await page.getByRole("button", { name: /^Make/ }).click();
  const result = page.getByRole("article", { name: /^Image by/ }).first();
  await result.getByRole("button", { name: "Image 3 of 3" }).click({ timeout: 60_000 });
  await expect(result.getByRole("img", { name: /Image 3 of 3/ })).toBeVisible();
  await expect(result.getByRole("link", { name: /^Download image/ })).toHaveCount(3);
  await assertFine(page, "several images");
  await result.getByRole("button", { name: "Animate this image" }).click();
  await expect(page).toHaveURL(/\/playground\/video$/);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
});

/** Lets the server keep no question until the returned function is called. */
async function keepLater(page: Page): Promise<() => void> {
  let keep = () => {};
  const kept = new Promise<void>((done) => {
    keep = done;
  });
  await page.route(/\/api\/studio\/sessions\//, async (route) => {
    await kept;
    await route.continue();
  });
  return keep;
}

test("each of two answers is stopped alone or with the other; what was not sent yet never is", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground", "Message");
  await page.getByRole("button", { name: "Compare models" }).click();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/chat/completions")) asked.push(request.postDataJSON().model);
  });
  const race = page.getByRole("region", { name: "Answers side by side" });
  const second = race.getByRole("article", { name: text.id });
  const cost = (model: string) =>
    race.getByRole("row", { name: new RegExp(`^${model}.* \\d+\\.\\d+`) });

  let keep = await keepLater(page);
  await page.getByLabel("Message").fill("[[delay:3]] Say hello.");
  await page.getByLabel("Message").press("Enter");
  await second.getByRole("button", { name: `Stop ${text.id}` }).click();
  keep();
  await expect(second).toContainText("Stopped before it was sent. Nothing is charged.");
  await expect(cost("RelayV1")).toBeVisible();
  expect(asked).toEqual(["RelayV1"]);

  await second.getByRole("button", { name: "Regenerate" }).click();
  await expect.poll(() => asked.length).toBe(3);
  await second.getByRole("button", { name: `Stop ${text.id}` }).click();
  await expect(second).toContainText("the whole answer is charged");
  await expect(cost("RelayV1")).toBeVisible();
  await second.getByRole("button", { name: "Show the whole answer" }).click();
  await expect(cost(text.id)).toBeVisible();

  // As often as it was sent and kept: the stopped one too.
  const list = await page.request.get(`${entryEndpoints.listEntries.path}?kind=requests`);
  expect((await list.json()).entries).toHaveLength(3);

  const before = asked.length;
  keep = await keepLater(page);
  await second.getByRole("button", { name: "Regenerate" }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).last().click();
  keep();
  await expect(race.getByText("Stopped before it was sent.")).toHaveCount(2);
  await page.reload();
  await expect(race.getByText("Stopped before it was sent.")).toHaveCount(2);
  expect(asked).toHaveLength(before);
});

test("two models answer side by side, with code and a formula, and one of them goes on", async ({
  page,
  served,
}) => {
  await open(page, served, "/playground", "Message");
  await page.getByRole("button", { name: "Compare models" }).click();
  await expect(page.getByRole("button", { name: "Compare models" })).toHaveCount(0);
  const message = page.getByLabel("Message");
  await message.fill("Read:\n```js\nlet a = 1; // one\n```\nand $a^2$ then.");
  await message.press("Enter");
  const race = page.getByRole("region", { name: "Answers side by side" });
  await expect(race.getByRole("article")).toHaveCount(2);
  const table = race.getByRole("table");
  for (const model of ["RelayV1", text.id])
    await expect(
      table.getByRole("row", { name: new RegExp(`^${model}.* \\d+\\.\\d+`) }),
    ).toBeVisible();
  const answer = race.getByRole("article", { name: text.id });
  await expect(answer.locator("pre")).toContainText("let a = 1; // one");
  await expect(answer.locator("math").first()).toBeVisible();
  await assertFine(page, "a race of two models");
  await answer.getByRole("button", { name: "Go on with this answer" }).click();
  await expect(answer.getByRole("button", { name: "Go on with this answer" })).toHaveCount(0);
  await page.reload();
  await expect(race.getByRole("article")).toHaveCount(2);
  await expect(answer.getByRole("button", { name: "Go on with this answer" })).toHaveCount(0);
});

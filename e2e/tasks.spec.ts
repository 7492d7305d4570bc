import type { Page } from "@playwright/test";
import { exactPoints } from "@/lib/client/points-display";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import type { TaskView } from "@/lib/contract/tasks";
import { violationsOf } from "./fine";
import { expect, signInAnew, test } from "./product";
import { pathOf } from "./route-roles";
import { quotedIn, withFields } from "./studio-page";

// These tests make videos, which takes long on a busy machine.
test.beforeEach(() => test.slow());

async function send(page: Page, path: string, data: object) {
  const answer = await page.request.post(`${PLAYGROUND_PATH}/v1${path}`, { data });
  return {
    status: answer.status(),
    requestId: answer.headers()["x-request-id"],
    json: await answer.json(),
  };
}
const orderVideo = async (page: Page, text: string, more: object = {}): Promise<string> =>
  (
    await send(page, "/contents/generations/tasks", {
      model: "Super-Relay2.5",
      resolution: "480p",
      duration: 5,
      content: [{ type: "text", text }],
      ...more,
    })
  ).json.id;
const makeImage = (page: Page, prompt: string) =>
  send(page, "/images/generations", {
    model: "Super-Relay-Image",
    prompt,
    size: "640x512",
    seed: 7,
  });
const read = async <Answer>(page: Page, path: string): Promise<Answer> =>
  (await page.request.get(path)).json();

/** Once nothing runs, the header's amounts equal the ledger's to the micropoint. */
async function headerAgrees(page: Page): Promise<void> {
  await expect
    .poll(
      async () => (await read<{ balance: { held: string } }>(page, pathOf("showMe"))).balance.held,
      { timeout: 40_000 },
    )
    .toBe("0.000000");
  const { balance, statement } = await read<
    Record<"balance" | "statement", Record<string, string>>
  >(page, pathOf("showMe"));
  const micropoints = (text = "0") => BigInt(text.replace(".", ""));
  const { entries } = await read<{ entries: { amount: string }[] }>(page, pathOf("listEntries"));
  expect(entries.reduce((sum, { amount }) => sum + micropoints(amount), 0n)).toBe(
    micropoints(balance.available),
  );
  expect(micropoints(statement.toppedUp) - micropoints(statement.charged)).toBe(
    micropoints(balance.available),
  );
  const header = page.getByRole("link", { name: /available/i });
  await expect(
    header
      .locator(`[title="${exactPoints(balance.available ?? "")}"]`)
      .or(header.getByText(exactPoints(balance.available ?? ""))),
  ).toBeVisible();
}

const cards = (page: Page) => page.getByRole("article", { name: /^(Video|Image) by/ });

test("a video continues after its page is left; later it is settled, and its page shows all details", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  await signInAnew(page);
  await page.goto("/playground/video");
  await page.getByLabel("Prompt").fill("A heron at dawn");
  await withFields(page, (fields) =>
    fields.getByRole("radio", { name: "480p" }).check({ force: true }),
  );
  await expect(quotedIn(page)).toContainText(/\d\.\d{6}/);
  await page.getByRole("button", { name: "Make the video" }).click();
  await expect(cards(page)).toHaveCount(1);
  await page.goto("about:blank");
  await page.waitForTimeout(100);
  await page.goto("/tasks");
  const card = cards(page).first();
  await expect(card.locator("video")).toBeVisible({ timeout: 40_000 });
  await expect(card).toContainText("settled");
  await expect(card).toContainText("A heron at dawn");
  await headerAgrees(page);
  await card.getByRole("link", { name: "Super-Relay" }).first().click();
  await expect(page).toHaveURL(/\/tasks\/cgt-/);
  const trail = page.getByRole("list").filter({ hasText: "Sent to the model" });
  for (const step of ["Queued", "Sent to the model", "Stored", "Settled"])
    await expect(trail).toContainText(step);
  await expect(page.getByText("How it was counted")).toBeVisible();
  const { tasks } = await read<{ tasks: TaskView[] }>(page, pathOf("listTasks"));
  await expect(
    page.getByText(exactPoints(tasks[0]?.entry?.request?.settled ?? "")).first(),
  ).toBeVisible();
  await page.getByText("Request as code").click();
  await expect(page.getByRole("tabpanel")).toContainText("A heron at dawn");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Every step of its request" }).click();
  await page.getByRole("link", { name: "Open the result" }).click();
  await expect(page.getByText("A heron at dawn", { exact: true })).toBeVisible();
});

test("settings can be reused after a reload, for a video and for an image", {
  tag: "@phone",
}, async ({ page }) => {
  await signInAnew(page);
  const reference = "https://pictures.example/fox.png";
  const video = await orderVideo(page, "A fox runs", {
    ratio: "9:16",
    seed: 42,
    generate_audio: true,
    content: [
      { type: "text", text: "A fox runs" },
      { type: "image_url", image_url: { url: reference }, role: "reference_image" },
    ],
  });
  const image = await makeImage(page, "A fox sits");
  await page.goto(`/tasks/${video}`);
  await page.getByRole("link", { name: "Use these settings again" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue("A fox runs");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue("A fox runs");
  await withFields(page, async (fields) => {
    await expect(fields.getByLabel("Model", { exact: true })).toHaveValue("Super-Relay2.5");
    await expect(fields.getByRole("radio", { name: "9:16" })).toBeChecked();
    await expect(fields.getByLabel("Seed")).toHaveValue("42");
    await expect(fields.getByLabel("With sound")).toBeChecked();
    await expect(fields.getByTitle(reference)).toBeVisible();
  });
  await page.goto(`/tasks/${image.requestId}`);
  await page.getByRole("link", { name: "Use these settings again" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue("A fox sits");
  await withFields(page, async (fields) => {
    await expect(fields.getByLabel("Width")).toHaveValue("640");
    await expect(fields.getByLabel("Seed")).toHaveValue("7");
  });
  await headerAgrees(page);
});

test("a queued video is cancelled without a charge, a failed one shows why, and a removed one is gone", {
  tag: "@phone",
}, async ({ page, allowStatus }) => {
  allowStatus(404);
  allowStatus(502);
  await signInAnew(page);
  const before = (await read<{ balance: { available: string } }>(page, pathOf("showMe"))).balance
    .available;
  await orderVideo(page, "[[queue:60]] A slow river");
  await page.goto("/tasks");
  await cards(page).first().getByRole("button", { name: "Cancel" }).click();
  await expect(cards(page).first()).toContainText("Cancelled");
  await expect(cards(page).first()).toContainText("not charged");
  expect((await makeImage(page, "[[fail]] A fox")).status).toBe(502);
  await page.reload();
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).first()).toContainText("Failed");
  await headerAgrees(page);
  expect(
    (await read<{ balance: { available: string } }>(page, pathOf("showMe"))).balance.available,
  ).toBe(before);
  const { tasks } = await read<{ tasks: TaskView[] }>(page, pathOf("listTasks"));
  await cards(page).first().getByRole("button", { name: "Remove from the list" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove from the list?" });
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Remove from the list" }).click();
  await expect(cards(page)).toHaveCount(1);
  // The card goes at once; this is said when the task is removed.
  await expect(page.getByText("Removed from the list.")).toBeVisible();
  await page.goto(`/tasks/${tasks[0]?.id}`);
  await expect(
    page.getByText("This task does not exist, or it was removed from the list."),
  ).toBeVisible();
});

test("the list is filtered by its URL, and a finished task is announced", {
  tag: "@phone",
}, async ({ page }) => {
  await signInAnew(page);
  await makeImage(page, "A fox in the snow");
  await orderVideo(page, "[[queue:600]] A heron");
  await page.goto("/tasks");
  await expect(cards(page)).toHaveCount(2);
  await page.getByRole("group", { name: "State" }).getByText("Running").click();
  await expect(page).toHaveURL(/state=open/);
  await expect(cards(page)).toHaveCount(1);
  await page.goBack();
  await page.getByRole("combobox", { name: "Kind" }).selectOption("image");
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).getByRole("img")).toBeVisible();
  await page.getByRole("combobox", { name: "Key" }).selectOption("none");
  await expect(page).toHaveURL(/family=image.*key=none/);
  await page.goto("/tasks?state=failed&model=Super-Relay-Image");
  await expect(page.getByText("No results match.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(cards(page)).toHaveCount(2);
  await orderVideo(page, "[[delay:15]] A crane");
  await page.reload();
  await expect(cards(page).first()).toContainText("A crane");
  await expect(cards(page).first().locator("video")).toBeVisible({ timeout: 40_000 });
  await expect(page).toHaveTitle(/^\(\d\) Tasks/);
  await page.keyboard.press("Shift");
  await expect(page).toHaveTitle(/^Tasks/);
});

test("another account's task is not found", async ({ page, browser, baseURL, allowStatus }) => {
  allowStatus(404);
  const other = await browser.newContext({ baseURL: baseURL ?? "" });
  const theirs = await other.newPage();
  await signInAnew(theirs);
  const image = await makeImage(theirs, "Nobody else's");
  await other.close();
  await signInAnew(page);
  for (const id of [image.requestId, "cgt-00000000000000000000000000"]) {
    await page.goto(`/tasks/${id}`);
    await expect(
      page.getByText("This task does not exist, or it was removed from the list."),
    ).toBeVisible();
    await expect(page.locator("main")).not.toContainText("Nobody");
  }
});

import type { Page, Response } from "@playwright/test";
import { entryEndpoints } from "@/lib/contract/entries";
import { meEndpoints } from "@/lib/contract/me";
import { studioSessionEndpoints } from "@/lib/contract/studio-sessions";
import { violationsOf } from "./fine";
import { beginSession, expect, signInAnew, test } from "./product";
import { openStudio } from "./studio-page";

const SESSIONS_PATH = studioSessionEndpoints.listStudioSessions.path;
const answerOf = (page: Page) => page.getByRole("article", { name: "RelayV1" });

test("a page that is closed while it is answered is opened elsewhere with the answer, charged once", {
  tag: "@phone",
}, async ({ page, browser, baseURL }) => {
  const email = await signInAnew(page);
  await page.goto("/playground");
  const message = page.getByLabel("Message");
  await message.fill("[[delay:4]] Tell me of the lighthouse.");
  await message.press("Enter");
  const { request } = page.context();
  const heldNow = async () =>
    (await (await request.get(meEndpoints.showMe.path)).json()).balance.openHolds;
  await expect.poll(heldNow).toBe(1);
  await page.close();

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const other = await context.newPage();
  await beginSession(other, email);
  await other.goto("/playground");
  const line = answerOf(other).getByRole("list", { name: "Cost, step by step" });
  await expect(line).toContainText("settled");
  await expect(answerOf(other).getByRole("link", { name: /^req_/ })).toBeVisible();
  const list = await request.get(`${entryEndpoints.listEntries.path}?kind=requests`);
  expect((await list.json()).entries).toHaveLength(1);

  await other.getByRole("button", { name: "New conversation" }).click();
  await expect(answerOf(other)).toHaveCount(0);
  await other.getByRole("button", { name: "Sessions" }).click();
  const sessions = other.getByRole("dialog", { name: "Sessions" });
  const named = sessions.getByRole("button", { name: /^\[\[delay:4\]\] Tell me/ });
  await expect(named).toBeVisible();
  expect(await violationsOf(other)).toEqual([]);
  await sessions.getByLabel("Search sessions").fill("windmill");
  await expect(sessions.getByText("No session has these words.")).toBeVisible();
  await sessions.getByLabel("Search sessions").fill("lighthouse");
  await named.click();
  await expect(line).toContainText("settled");

  await other.getByRole("button", { name: "Sessions" }).click();
  await sessions.getByRole("button", { name: /^Actions for/ }).click();
  const download = other.waitForEvent("download");
  await other.getByRole("menuitem", { name: "Export as JSON" }).click();
  expect((await download).suggestedFilename()).toBe("conversation.json");
  await sessions.getByRole("button", { name: /^Actions for/ }).click();
  await other.getByRole("menuitem", { name: "Delete" }).click();
  await expect(named).toHaveCount(0);
  await context.close();
});

test("a series of images is one session: named, opened with its results and settings, and deleted", async ({
  page,
}) => {
  const prompt = await openStudio(page, "image");
  const isKept = (answer: Response) =>
    answer.request().method() === "PATCH" && answer.url().includes(SESSIONS_PATH);
  for (const text of ["A fox in snow", "A fox in rain"]) {
    await prompt.fill(text);
    const kept = page.waitForResponse(isKept);
    await page.getByRole("button", { name: "Make the image" }).click();
    const made = page.getByRole("article", { name: new RegExp(`^Image by .*: ${text}`) });
    await expect(made).toBeVisible();
    expect((await kept).status()).toBe(200);
  }
  const sessions = page.getByRole("dialog", { name: "Sessions" });
  const named = sessions.getByRole("button", { name: "A fox in snow", exact: true });
  const open = async () => {
    await page.goto("/playground/image");
    await page.getByRole("button", { name: "Sessions" }).click();
  };
  await open();
  await expect(named).toBeVisible();
  await expect(sessions.getByRole("button", { name: "A fox in rain" })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await named.click();
  await expect(page.getByRole("article", { name: /^Image by/ })).toHaveCount(2);
  await expect(prompt).toHaveValue("A fox in rain");
  await page.getByRole("button", { name: "New session" }).click();
  await expect(prompt).toHaveValue("");
  await open();
  await sessions.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(named).toHaveCount(0);
});

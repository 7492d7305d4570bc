import type { Locator, Page } from "@playwright/test";
import { endpoints } from "@/lib/contract/endpoints";
import { entryEndpoints } from "@/lib/contract/entries";
import { meEndpoints } from "@/lib/contract/me";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { assertDoesNotScroll, violationsOf } from "./fine";
import { expect, signInAnew, signOut, test } from "./product";
import { isPhone } from "./studio-page";

async function openPlayground(page: Page) {
  await signInAnew(page);
  await page.goto("/playground");
  const message = page.getByLabel("Message");
  await expect(message).toBeVisible();
  await expect(page.getByRole("link", { name: /available/ })).toContainText(/\d/, {
    timeout: 20_000,
  });
  return message;
}

/** Does something with the settings, which a phone has behind a button. */
async function withSettings(page: Page, act: (fields: Page | Locator) => Promise<void>) {
  if (!isPhone(page)) return act(page);
  await page.getByRole("main").getByRole("button", { name: "RelayV1" }).click();
  const sheet = page.getByRole("dialog", { name: "Settings" });
  await act(sheet);
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
}

test("ask, read, see to the micropoint what it cost, ask otherwise", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  const message = await openPlayground(page);
  await withSettings(page, (fields) => fields.getByLabel("Max output tokens").fill("200"));
  await message.fill("Say hello.");
  await message.press("Shift+Enter");
  await message.pressSequentially("Twice.");
  await message.press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await expect(answer).toContainText(/\d+ \+ \d+ tokens/);
  await expect(page.getByRole("article", { name: "You" })).toContainText("Say hello.\nTwice.");
  await page.getByRole("button", { name: "View as code" }).click();
  await expect(page.getByRole("tabpanel")).toContainText('"max_tokens": 200');
  await page.getByRole("radio", { name: "Messages API" }).check();
  await expect(page.getByRole("tabpanel")).toContainText("/v1/messages");
  await page.keyboard.press("Escape");

  const first = await answer.getByRole("link", { name: /^req_/ }).textContent();
  await answer.getByRole("button", { name: "Regenerate" }).click();
  const id = answer.getByRole("link", { name: /^req_/ });
  await expect(id).toBeVisible();
  await expect(id).not.toHaveText(first ?? "");

  await page.getByRole("button", { name: "Edit and send again" }).click();
  await page.getByRole("textbox", { name: "Edit and send again" }).fill("Say goodbye.");
  await page.getByRole("article", { name: "You" }).getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("article", { name: "You" })).toContainText("Say goodbye.");
  await expect(id).toBeVisible();

  expect(await violationsOf(page)).toEqual([]);
  await id.click();
  await expect(page.getByRole("main")).toContainText("RelayV1");
});

test("a conversation survives another page and a reload, and is gone after sign-out", {
  tag: "@phone",
}, async ({ page }) => {
  const message = await openPlayground(page);
  await withSettings(page, (fields) => fields.getByLabel("System prompt").fill("Be brief."));
  await message.fill("Say hello.");
  await message.press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("link", { name: /^req_/ })).toBeVisible();
  const said = await answer.locator("p").nth(0).textContent();
  await page.getByRole("link", { name: "Video", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Video playground" })).toBeVisible();
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await expect(answer).toContainText(said ?? "");
  await page.reload();
  await expect(page.getByRole("article", { name: "You" })).toContainText("Say hello.");
  await expect(answer).toContainText(said ?? "");
  await withSettings(page, (fields) =>
    expect(fields.getByLabel("System prompt")).toHaveValue("Be brief."),
  );
  await signOut(page);
  expect(
    await page.evaluate(() =>
      Object.keys(sessionStorage).filter((name) => name.startsWith("relay.chat")),
    ),
  ).toEqual([]);
});

test("Escape stops an answer, and another question can be asked", { tag: "@phone" }, async ({
  page,
}) => {
  const message = await openPlayground(page);
  await message.fill("[[delay:20]] Wait.");
  const sent = page.waitForRequest(/\/chat\/completions$/);
  await message.press("Enter");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await sent;
  await expect(page.getByRole("article", { name: "RelayV1" })).toHaveAttribute("aria-busy", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Stopped reading.", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
});

test("an answer that was not there yet when the page was loaded again appears with its cost, charged once", {
  tag: "@core",
}, async ({ page }) => {
  const message = await openPlayground(page);
  await message.fill("[[delay:4]] Say hello.");
  await message.press("Enter");
  const heldNow = async () =>
    (await (await page.request.get(meEndpoints.showMe.path)).json()).balance.openHolds;
  await expect.poll(heldNow).toBe(1);
  await page.reload();
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await expect(answer).toContainText(/\d+ \+ \d+ tokens/);
  await expect(answer.getByRole("link", { name: /^req_/ })).toBeVisible();
  const list = await page.request.get(`${entryEndpoints.listEntries.path}?kind=requests`);
  expect((await list.json()).entries).toHaveLength(1);
});

test("an upstream failure is shown with a way to continue", { tag: "@phone" }, async ({
  page,
  allowStatus,
}) => {
  allowStatus(502);
  const message = await openPlayground(page);
  await message.fill("[[fail]]");
  await message.press("Enter");
  await expect(page.getByRole("article", { name: "RelayV1" }).getByRole("alert")).toContainText(
    /req_/,
  );
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a model's text runs no script and loads nothing from other servers", {
  tag: "@core",
}, async ({ page }) => {
  const message = await openPlayground(page);
  const hostile = [
    "<script>window.wasRun = 1</script><img src=x onerror='window.wasRun = 2'>",
    "[press](javascript:window.wasRun=3) ![seen](https://tracker.example/seen.png)",
    "<iframe srcdoc='<script>parent.wasRun = 4</script>'></iframe>",
    "**strong**",
  ].join("\n\n");
  const chunk = (body: object) =>
    `data: ${JSON.stringify({ id: "a", object: "chat.completion.chunk", created: 1, model: "RelayV1", ...body })}\n\n`;
  const body = `${chunk({ choices: [{ index: 0, delta: { content: hostile }, finish_reason: null }] })}data: [DONE]\n\n`;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.route(`**${PLAYGROUND_PATH}${endpoints.createChatCompletion.path}`, (route) =>
    route.fulfill({ status: 200, contentType: "text/event-stream", body }),
  );
  await message.fill("Hi.");
  await message.press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.locator("strong")).toHaveText("strong");
  await expect(answer).toContainText("<script>");
  expect(await answer.locator("script, img, iframe, [href^='javascript'], [onerror]").count()).toBe(
    0,
  );
  await answer.getByText("press").click();
  expect(await page.evaluate(() => "wasRun" in window)).toBe(false);
  expect(asked.filter((url) => url.includes("tracker"))).toEqual([]);
});

test("a tab in the URL leads to its family", { tag: "@phone" }, async ({ page }) => {
  await signInAnew(page);
  for (const tab of ["video", "image"]) {
    await page.goto(`/playground?tab=${tab}`);
    await expect(page).toHaveURL(`/playground/${tab}`);
  }
  await page.goto("/playground?tab=chat");
  await expect(page).toHaveURL("/playground?tab=chat");
});

test("the end of every answer stays above the composer, and the page itself never scrolls", {
  tag: "@phone",
}, async ({ page }) => {
  const message = await openPlayground(page);
  const list = page.getByRole("region", { name: "Conversation" });
  for (let turn = 1; turn <= 6; turn++) {
    // Who is a few pixels above the end still follows it.
    await list.evaluate((element) => element.scrollBy({ top: -5 }));
    await message.fill(`[[tokens:150]] Say it ${turn} times.`);
    await message.press("Enter");
    const answer = page.getByRole("article", { name: "RelayV1" }).last();
    await expect(page.getByRole("article", { name: "RelayV1" })).toHaveCount(turn);
    const line = answer.getByRole("list", { name: "Cost, step by step" });
    await expect(line).toContainText("settled");
    await expect(line).toBeInViewport({ ratio: 1 });
    const overlap = await line.evaluate((element) => {
      const composer = document.querySelector("main textarea[rows='2']")?.closest("form");
      return element.getBoundingClientRect().bottom - (composer?.getBoundingClientRect().top ?? 0);
    });
    expect(overlap, `turn ${turn} is covered by the composer`).toBeLessThanOrEqual(0);
  }
  await assertDoesNotScroll(page);
  // Who scrolls away to read is left there, whatever arrives.
  await message.fill("[[tokens:150]] Say it once more.");
  await message.press("Enter");
  const last = page.getByRole("article", { name: "RelayV1" }).nth(6);
  await expect(last).toContainText("sandbox");
  await list.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(last).toContainText("settled");
  expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
});

test("pictures go with a message, JSON and tools are asked for, and the conversation is kept as a file", async ({
  page,
}) => {
  const message = await openPlayground(page);
  await page.locator("summary", { hasText: "Output" }).click();
  await page.getByRole("radio", { name: "JSON" }).check({ force: true });
  await page.getByText("Tools", { exact: true }).click();
  const tools = page.getByLabel("Function definitions");
  await tools.fill("[");
  await expect(page.getByText("This is not a JSON array of objects.")).toBeVisible();
  await tools.fill(
    '[{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}]',
  );
  const picture = { name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(3000, 7) };
  await page.getByLabel("Attach images").setInputFiles(picture);
  await expect(page.getByRole("img", { name: "Image 1" })).toBeVisible();
  await message.fill("What is this?");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "View as code" }).click();
  const code = page.getByRole("tabpanel");
  for (const part of ['"response_format"', '"name": "weather"', '"image_url"', "base64,…"])
    await expect(code).toContainText(part);
  await page.keyboard.press("Escape");
  const sent = page.waitForRequest((request) => request.url().endsWith("/chat/completions"));
  await message.press("Enter");
  expect((await sent).postDataJSON()).toMatchObject({
    response_format: { type: "json_object" },
    messages: [{ role: "user", content: [{ type: "text" }, { type: "image_url" }] }],
  });
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await expect(page.getByRole("article", { name: "You" }).getByRole("img")).toBeVisible();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  expect((await saving).suggestedFilename()).toBe("conversation.md");
});

test("a starter fills the composer", async ({ page }) => {
  const message = await openPlayground(page);
  const starter = page.getByRole("main").getByRole("listitem").getByRole("button").first();
  const text = await starter.textContent();
  await starter.click();
  await expect(message).toHaveValue(text ?? "");
  await expect(message).toBeFocused();
});

test("a system prompt is saved, and there again in another conversation", async ({ page }) => {
  await openPlayground(page);
  const system = page.getByLabel("System prompt");
  await system.fill("Be brief.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await system.fill("");
  await page.reload();
  await page.getByLabel("Saved prompts").selectOption("Be brief.");
  await expect(system).toHaveValue("Be brief.");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByLabel("Saved prompts")).toBeDisabled();
});

import type { Page } from "@playwright/test";
import { endpoints } from "@/lib/contract/endpoints";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { violationsOf } from "./fine";
import { expect, signInAnew, signOut, test } from "./product";

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

test("a user asks, reads the answer, sees its cost to the micropoint, and asks again with other settings", async ({
  page,
}) => {
  const message = await openPlayground(page);
  await page.getByLabel("Maximum answer tokens").fill("200");
  await message.fill("Say hello.");
  await message.press("Shift+Enter");
  await message.pressSequentially("Twice.");
  await message.press("Enter");
  const answer = page.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("list", { name: "Cost, step by step" })).toContainText("settled");
  await expect(answer).toContainText(/\d+ \+ \d+ tokens/);
  await expect(page.getByRole("article", { name: "You" })).toContainText("Say hello.\nTwice.");
  await page.getByText("Request as code").click();
  await expect(page.getByRole("tabpanel")).toContainText('"max_tokens": 200');

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
  await expect(page.getByRole("dialog")).toContainText("RelayV1");
});

test("a conversation survives another page and a reload, and is gone after sign-out", async ({
  page,
}) => {
  const message = await openPlayground(page);
  await page.getByLabel("System prompt").fill("Be brief.");
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
  await expect(page.getByLabel("System prompt")).toHaveValue("Be brief.");
  await signOut(page);
  expect(
    await page.evaluate(() =>
      Object.keys(sessionStorage).filter((name) => name.startsWith("relay.chat")),
    ),
  ).toEqual([]);
});

test("Escape stops an answer, and another question can be asked", async ({ page }) => {
  const message = await openPlayground(page);
  await message.fill("[[delay:20]] Wait.");
  await message.press("Enter");
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await expect(page.getByRole("article", { name: "RelayV1" })).toHaveAttribute("aria-busy", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByText("Stopped reading.", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Regenerate" })).toBeVisible();
});

test("an upstream failure is shown with a way to continue", async ({ page, allowStatus }) => {
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
  tag: "@any-size",
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

test("a tab in the URL leads to its family", async ({ page }) => {
  await signInAnew(page);
  for (const tab of ["video", "image"]) {
    await page.goto(`/playground?tab=${tab}`);
    await expect(page).toHaveURL(`/playground/${tab}`);
  }
  await page.goto("/playground?tab=chat");
  await expect(page).toHaveURL("/playground?tab=chat");
});

import type { Page } from "@playwright/test";
import { violationsOf } from "./fine";
import { chat, createKey, expect, signInAnew, test } from "./product";

const rowOf = (page: Page, email: string) =>
  page.getByRole("region", { name: "People" }).getByRole("row").filter({ hasText: email });

/** Sets the member's budget of a day in its dialog. */
async function setBudget(page: Page, email: string, points: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${email}` }).click();
  await page.getByRole("menuitem", { name: "Set the budget" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Points a day").fill("a lot");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Points, such as 500 or 12.5, or nothing.")).toBeVisible();
  await dialog.getByLabel("Points a day").fill(points);
  await dialog.getByLabel("Time zone").fill("Asia/Shanghai");
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(`The budget of ${email} is saved.`).first()).toBeVisible();
}

async function send(page: Page, text: string): Promise<void> {
  const message = page.getByLabel("Message");
  await message.fill(text);
  await message.press("Enter");
}

test("a member spends the budget of the day, is refused with the reason, and can order again after it is raised", async ({
  page,
  browser,
  baseURL,
}) => {
  const owner = await signInAnew(page);
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create the invitation" }).click();
  const made = page.getByRole("textbox", { name: "the invitation’s link" });
  const link = await made.inputValue();
  await page.getByRole("button", { name: "Done" }).click();

  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const second = await context.newPage();
  const member = await signInAnew(second);
  await second.goto(link);
  await second.getByRole("button", { name: "Accept" }).click();
  await second.waitForURL("**/overview");

  // Nobody has a budget: no column for it. Enough for some answers, then for none.
  await page.reload();
  await expect(rowOf(page, member)).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Budget" })).toHaveCount(0);
  await setBudget(page, member, "0.5");
  await expect(rowOf(page, member)).toContainText("0.50 of 0.50 points left today");
  await expect(rowOf(page, owner)).toContainText("none");

  await second.goto("/keys");
  const key = await createKey(second, "by the member");
  await second.getByRole("button", { name: "I saved it" }).click();
  await expect
    .poll(async () => (await chat(baseURL, key, "Say hello.")).status, {
      timeout: 60_000,
      intervals: [10],
    })
    .toBe(403);
  const refused = await chat(baseURL, key, "Say hello.");
  expect((await refused.json()).error).toMatchObject({
    code: "member_budget_exhausted",
    period: "day",
    renews_at: expect.any(Number),
  });
  await second.goto("/playground");
  await send(second, "Say hello.");
  await expect(second.getByText(/Your budget of this day has [\d.]+ left\./)).toBeVisible();
  expect(await violationsOf(second)).toEqual([]);

  // The member sees the own budget, and cannot change it.
  await second.goto("/members");
  await expect(rowOf(second, member)).toContainText("of 0.50 points left today");
  await expect(second.getByRole("button", { name: /^Actions for/ })).toHaveCount(0);
  await second.setViewportSize({ width: 390, height: 844 });
  expect(await violationsOf(second)).toEqual([]);
  await second.setViewportSize({ width: 1440, height: 900 });

  await page.reload();
  await setBudget(page, member, "100");
  await expect(rowOf(page, member)).toContainText("of 100.00 points left today");
  expect(await violationsOf(page)).toEqual([]);
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await second.goto("/playground");
  await send(second, "Say hello again.");
  const answer = second.getByRole("article", { name: "RelayV1" });
  await expect(answer.getByRole("link", { name: /^req_/ }).last()).toBeVisible();

  // What each of them spent.
  await page.goto("/usage?group=member");
  const chart = page.getByRole("region", { name: "Over time" });
  await expect(chart.getByText(member).first()).toBeVisible();
  await page.getByRole("combobox", { name: "Member" }).selectOption({ label: owner });
  await expect(page.getByText("No requests match.")).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await context.close();
});

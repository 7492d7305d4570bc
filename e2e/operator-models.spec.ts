/**
 * The operators' page of models: from nothing to a billed request by the page alone, while two
 * processes serve customers, and back again.
 */
import type { Page } from "@playwright/test";
import { words } from "@/testing/cli/words";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";
import { addChannel, customerKey, fillRates, modelStatus, post, signIn, test } from "./models-desk";
import { expect } from "./product";

const WITHIN_MS = 5000;
const LIFE_MS = 120_000;

test.describe.configure({ mode: "serial" });

const lives = [
  {
    id: "acme-text",
    family: "text",
    upstream: "sandbox-relay-v1",
    fields: { "Longest answer, in tokens": "1000" },
    rates: [{ unit: "request", points: "3" }],
    path: "/v1/chat/completions",
    body: { messages: [{ role: "user", content: "hello" }] },
    points: "3",
  },
  {
    id: "acme/video:1",
    family: "video",
    upstream: "sandbox-super-relay-fast",
    listed: "Length",
    fields: {
      Seconds: "4, 8",
      Resolutions: "480p",
      Ratios: "16:9",
    },
    rates: [{ unit: "second", points: "5" }],
    path: "/v1/videos/generations",
    body: { prompt: "a boat", duration: 4 },
    points: "20",
  },
  {
    id: "acme-image",
    family: "image",
    upstream: "another-image",
    listed: "Sizes",
    fields: {
      "Sizes in pixels": "512x512, 768x512",
      Qualities: "standard, high",
    },
    rates: [
      { unit: "image", points: "8", quality: "standard" },
      { unit: "image", points: "19", quality: "high" },
    ],
    path: "/v1/images/generations",
    body: { prompt: "a boat", size: "512x512", quality: "high" },
    points: "19",
  },
] as const;
type Life = (typeof lives)[number];

async function makeDraft(page: Page, life: Life): Promise<void> {
  await page.goto("/admin/models");
  await page.getByRole("link", { name: "New model" }).click();
  const word = life.family[0]?.toUpperCase() + life.family.slice(1);
  await page.getByRole("radio", { name: word }).check({ force: true });
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText("Give the model an identifier.")).toBeVisible();
  await page.getByLabel("Identifier").fill(life.id);
  if ("listed" in life) {
    const choice = page.getByRole("group", { name: life.listed }).first();
    await choice.getByRole("radio", { name: "Only some" }).check({ force: true });
  }
  for (const [label, text] of Object.entries(life.fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await fillRates(page, life.rates);
  const preview = page.getByRole("region", { name: "As customers will see it" });
  await expect(preview).toContainText(life.id);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByRole("heading", { name: life.id, level: 1 })).toBeVisible();
  await expect(page.getByText("draft", { exact: true }).first()).toBeVisible();
}

async function mapAndTest(page: Page, life: Life): Promise<void> {
  await page.getByRole("button", { name: "Add to a channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Channel").selectOption("Acme");
  await dialog.getByLabel("Name at the upstream").fill(life.upstream);
  await dialog.getByRole("button", { name: "Add to a channel" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Test on Acme" }).click();
  if (life.family !== "text") {
    await dialog.getByRole("radio").last().check({ force: true });
    await dialog.getByRole("button", { name: "Place the order" }).click();
  } else await dialog.getByRole("button", { name: "Test", exact: true }).click();
  await expect(dialog.getByRole("region", { name: "Result" })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press("Escape");
  await expect(page.getByText(/^worked/)).toBeVisible();
}

test("a channel for the models to come", async ({ page, site }) => {
  await signIn(page, site, "/admin");
  await addChannel(page, site);
});

for (const life of lives)
  test(`${life.id} goes from nothing to a billed request by the page alone, in both processes`, async ({
    page,
    site,
  }) => {
    test.slow();
    const key = await customerKey(site);
    await signIn(page, site, "/admin");
    const order = { model: life.id, ...life.body };
    const began = Date.now();
    await makeDraft(page, life);
    await mapAndTest(page, life);
    for (const { address } of site.processes)
      expect((await post(address, key, life.path, order)).slice(2)).toEqual(["model_not_found"]);
    await page.getByRole("button", { name: "Offer", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Offer", exact: true }).click();
    await expect(page.getByText("on offer", { exact: true }).first()).toBeVisible();
    for (const { address } of site.processes)
      await expect.poll(() => modelStatus(address, key, life.id), { timeout: WITHIN_MS }).toBe(200);
    for (const { address } of site.processes)
      expect(await post(address, key, life.path, order)).toEqual([200, life.points, null]);
    expect(Date.now() - began).toBeLessThan(LIFE_MS);
    await assertFine(page, `the page of ${life.id}`);
  });

test("a model is changed, retires for another, and is offered again; its history says so", async ({
  page,
  site,
  allowStatus,
}) => {
  test.slow();
  allowStatus(400);
  await page.setViewportSize(sizes.desktop);
  await signIn(page, site, "/admin/models");
  await page.getByRole("link", { name: "acme-text" }).click();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByLabel("Longest answer, in tokens").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("0 is too low")).toBeVisible();
  await page.getByLabel("Longest answer, in tokens").fill("2000");
  await page.getByLabel("Title in English").fill("Acme Text");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/names/)).toBeVisible();
  await page.getByLabel("One sentence in English").fill("Answers at once.");
  await page.getByLabel("Title in Chinese").fill("Acme 文本");
  await page.getByLabel("One sentence in Chinese").fill("即时回答。");
  await assertFine(page, "a model that is changed");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("version 2")).toBeVisible();
  const preview = page.getByRole("region", { name: "As customers will see it" });
  await expect(preview).toContainText("2,000 tokens");
  await expect(preview).toContainText("Answers at once.");
  await expect(preview).toContainText("per request");

  await page.getByRole("button", { name: "Retire" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Its last moment").fill(`${dayFromNow(40)}T12:00`);
  await dialog.getByLabel("Replaced by").fill("nothing");
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(dialog.getByText(/there is no such model/)).toBeVisible();
  await dialog.getByLabel("Replaced by").fill("relay-v1");
  await assertFine(page, "a model that retires");
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(page.getByText("replaced by RelayV1", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Offer again" }).click();
  await dialog.getByRole("button", { name: "Offer again" }).click();
  await expect(page.getByText("on offer", { exact: true }).first()).toBeVisible();
  const history = page.getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem")).toHaveCount(5);
});

test("a model without a channel is offered for a reason only, and what is built in keeps its limits", async ({
  page,
  site,
}) => {
  test.slow();
  await page.setViewportSize(sizes.phone);
  await signIn(page, site, "/admin/models?new");
  await page.getByLabel("Identifier").fill("acme-bare");
  await page.getByLabel("Longest answer, in tokens").fill("1000");
  await page.getByLabel("Points, rate 3").fill("nine");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByText(/^Rate 3: an amount is a number/)).toBeVisible();
  await page.getByLabel("Points, rate 3").fill("9");
  await assertFine(page, "a new model on a phone", { isPhoneOwn: true });
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await page.getByRole("button", { name: "Offer", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Offer", exact: true }).click();
  await expect(dialog.getByText(/Give a reason/)).toBeVisible();
  await assertFine(page, "an offer without a channel", { isPhoneOwn: true });
  await dialog.getByLabel("Why offer it all the same").fill("Its channel comes tonight.");
  await dialog.getByRole("button", { name: "Offer", exact: true }).click();
  await expect(page.getByText("on offer", { exact: true }).first()).toBeVisible();
  await page.goto("/admin/models/RelayV1");
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await expect(page.getByText("It is built in")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Identifier" })).toHaveCount(0);
});

test("models are imported from a channel's list as drafts, which a search finds", async ({
  page,
  site,
  allowStatus,
}) => {
  test.slow();
  allowStatus(400);
  allowStatus(409);
  await page.setViewportSize(sizes.desktop);
  await signIn(page, site, "/admin/models");
  // Another instance as the upstream: its list says what its models are and cost.
  const [, upstream] = site.processes;
  const key = await customerKey(site);
  await site.relay(
    ...words`channel create --name Other --protocol relay --models RelayV1=RelayV1`,
    ...words`--base-url ${`${upstream.address}/v1`} --api-key ${key} --priority -5`,
  );
  await page.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Channel").selectOption("Other");
  await dialog.getByRole("button", { name: "Create drafts" }).click();
  await expect(dialog.getByText("Choose at least one model.")).toBeVisible();
  await dialog.getByLabel("Search by name").fill("acme");
  await dialog.getByRole("checkbox", { name: /acme-image/ }).check();
  await dialog.getByLabel("Name of acme-image here").fill("acme-image");
  await dialog.getByRole("button", { name: "Create drafts" }).click();
  await expect(dialog.getByText(/another model has or had this name/)).toBeVisible();
  await dialog.getByLabel("Name of acme-image here").fill("other-image");
  await dialog.getByLabel("Margin in percent").fill("100");
  await assertFine(page, "an import");
  await dialog.getByRole("button", { name: "Create drafts" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByLabel("Search by name").fill("other");
  await page.getByRole("button", { name: "Search" }).click();
  const row = page.getByRole("row", { name: /other-image/ });
  await expect(row).toContainText("draft");
  await expect(row).toContainText("38");
  await expect(page.getByRole("row")).toHaveCount(2);
  await assertFine(page, "the models that are found");
});

test("the page in Chinese has no English sentence", async ({ page, site }) => {
  test.slow();
  await signIn(page, site, "/admin/models");
  await inLanguage(page, "zh-CN");
  for (const path of ["/admin/models", "/admin/models?new", "/admin/models/acme-image"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText("模型");
    await assertChinese(page, path);
  }
});

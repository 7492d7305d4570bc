import type { Page } from "@playwright/test";
import { builtInModels as models } from "@/lib/catalog/built-in";
import { docPages } from "@/lib/docs/guides";
import { extent } from "@/testing/extent/extent";
import { violationsOf } from "./fine";
import { expect, fillInLogin, makeAccount, newEmail, test } from "./product";
import { pathOf } from "./route-roles";

test("every name of a model leads to its page, which shows its limits, costs and code with its alias", async ({
  page,
  baseURL,
}) => {
  for (const { alias, synonyms, id } of models) {
    for (const name of [id, ...synonyms]) {
      const answer = await fetch(`${baseURL}/models/${name}`, { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")], name).toEqual([
        308,
        `/models/${alias}`,
      ]);
    }
  }
  await page.goto("/models/Super-Relay2.5");
  await expect(page).toHaveURL(/\/models\/super-relay-2\.5$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Super-Relay2.5");
  await expect(page.getByRole("main")).toContainText("5 to 15 seconds");
  await expect(page.getByRole("table", { name: "What typical requests cost" })).toContainText(
    "653.40",
  );
  await expect(page.getByRole("table", { name: "What typical requests cost" })).not.toContainText(
    "1080p",
  );
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(page.getByRole("tabpanel")).toContainText('"model": "super-relay-2.5"');
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute(
    "href",
    /\/models\/super-relay-2\.5$/,
  );
});

test("a film of the home page leads, through sign-in, to the studio with its prompt; a model's page with its model", {
  tag: ["@core", "@phone"],
}, async ({ page }) => {
  const email = newEmail();
  await makeAccount(email);
  await page.goto("/");
  await page.getByRole("link", { name: "Make this again with Super-RelayFast" }).first().click();
  await expect(page).toHaveURL(/\/login\?callbackUrl=/);
  await fillInLogin(page, email);
  await expect(page.getByLabel("Prompt")).toHaveValue("A red kite over dunes");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("Super-RelayFast");
  await page.goto("/models/super-relay-2");
  await page.getByRole("link", { name: "Try it in the playground" }).click();
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("Super-Relay2.0");
});

test("an unknown model and an unknown documentation page are not found", async ({
  page,
  allowStatus,
}) => {
  allowStatus(404);
  for (const path of ["/models/gpt-4", "/docs/nowhere"]) {
    expect((await page.goto(path))?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
});

/** On a phone the contents are collapsed. */
async function openContents(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 768) await page.locator("nav summary").click();
}

test("the links lead through the documentation from the first page to the last", {
  tag: "@phone",
}, async ({ page, context, baseURL }) => {
  for (const language of extent(["en"], ["en", "zh-CN"])) {
    await context.addCookies([{ name: "relay_locale", value: language, url: baseURL ?? "" }]);
    await page.goto("/docs");
    for (const [place, { path }] of docPages.entries()) {
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await openContents(page);
      await expect(
        page.locator(`nav a[aria-current=page][href="${path}"]`).filter({ visible: true }).first(),
      ).toBeVisible();
      expect(await page.getByRole("main").textContent()).not.toMatch(
        /docs\.guides|NaN|undefined|\[object/,
      );
      if (place < docPages.length - 1) await page.locator("a[rel=next]").click();
    }
  }
});

test("a language chosen for one code sample is used on the next page", { tag: "@phone" }, async ({
  page,
}) => {
  await page.goto("/docs/streaming");
  await page.getByRole("tab", { name: "Node.js" }).click();
  await openContents(page);
  await page.getByRole("link", { name: "Videos", exact: true }).first().click();
  await expect(page.getByRole("tabpanel", { name: "Node.js" }).first()).toContainText(
    "await relay(",
  );
});

test("prices filtered by family have their own URL and structured data", { tag: "@phone" }, async ({
  page,
  request,
}) => {
  await page.goto("/pricing");
  const table = page.getByRole("table", { name: "Price list" });
  await page
    .getByRole("navigation", { name: "Families" })
    .getByRole("link", { name: "Video" })
    .click();
  await expect(page).toHaveURL(/\?family=video$/);
  await expect(table).not.toContainText("RelayV1");
  await expect(table).toContainText("Super-Relay2.5");
  const { prices } = await (await request.get(pathOf("showPrices"))).json();
  expect(prices.map(({ model }: { model: string }) => model)).toEqual(models.map(({ id }) => id));
});

test("crawler files, API catalogue, version, manifest and its icons are served", async ({
  page,
  request,
}) => {
  for (const [path, type] of [
    ["/robots.txt", "text/plain"],
    ["/sitemap.xml", "application/xml"],
    ["/llms.txt", "text/plain"],
    ["/.well-known/api-catalog", "application/linkset+json"],
    [pathOf("showVersion"), "application/json"],
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/opengraph.png", "image/png"],
  ] as const) {
    const answer = await request.get(path);
    expect([path, answer.status(), answer.headers()["content-type"]]).toEqual([
      path,
      200,
      expect.stringContaining(type),
    ]);
  }
  expect((await request.get("/.well-known/security.txt")).status()).toBe(404);
  const places = [
    ...(await (await request.get("/sitemap.xml")).text()).matchAll(/<loc>(.*?)<\/loc>/g),
  ].map(([, place]) => new URL(place ?? "").pathname);
  for (const path of places)
    expect([path, (await request.get(path)).status()]).toEqual([path, 200]);
  await page.goto("/");
  for (const property of ["og:title", "og:description", "og:url", "og:image"]) {
    await expect(page.locator(`meta[property="${property}"]`)).toHaveAttribute("content", /./);
  }
});

test("the documentation is searched, by keys too, and a page is copied as Markdown", {
  tag: ["@core", "@phone"],
}, async ({ page, context, request }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/videos");
  const search = page.getByRole("searchbox", { name: "Search the documentation" });
  await search.fill("points_held");
  const found = page.getByRole("list", { name: "Found" });
  await expect(found.getByRole("link").first()).toHaveText(/^points_held/);
  expect(await violationsOf(page)).toEqual([]);
  await search.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors#points_held$/);
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^# Errors\n[\s\S]*\n## [\s\S]*`points_held`/);
  const places: { path: string }[] = await (await request.get("/docs/search.json")).json();
  expect(places.length).toBeGreaterThan(150);
  const paths = [...new Set(places.map((place) => place.path.split("#")[0] ?? ""))];
  for (const path of extent(
    paths.filter((_, place) => place % 4 === 0),
    paths,
  )) {
    const html = await (await request.get(path)).text();
    const missing = places.filter((place) => {
      const [page, anchor] = place.path.split("#");
      return page === path && anchor !== undefined && !html.includes(`id="${anchor}"`);
    });
    expect(missing).toEqual([]);
  }
});

import { expect, test } from "./product";

test("models are found by words, family and order, which the URL keeps", { tag: "@core" }, async ({
  page,
}) => {
  await page.goto("/models");
  const table = page.getByRole("table", { name: /models/i });
  const names = table.getByRole("cell").getByRole("link");
  await expect(names).toHaveCount(8);
  await page.getByRole("searchbox", { name: "Search models" }).fill("fast");
  await expect(names).toHaveText([/Super-RelayFast/, /Super-Relay2\.0Fast/]);
  await page.getByText("Price", { exact: true }).click();
  await expect(page).toHaveURL(/[?&]q=fast&sort=price$/);
  await page.reload();
  await expect(names).toHaveText([/Super-RelayFast/, /Super-Relay2\.0Fast/]);
  await page.getByRole("searchbox", { name: "Search models" }).fill("no such model");
  await expect(page.getByText("No models match.")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search models" }).fill("");
  await page.getByText("Video", { exact: true }).first().click();
  await expect(names).toHaveCount(6);
  await expect(names.first()).toHaveText(/Super-RelayFast/);
  const head = table.getByRole("columnheader", { name: "A typical request" });
  await expect(head).toHaveAttribute("aria-sort", "ascending");
  await head.getByRole("link").click();
  await expect(page).toHaveURL(/[?&]sort=-price/);
  await expect(head).toHaveAttribute("aria-sort", "descending");
  await expect(names.first()).toHaveText(/Super-Relay2\.5/);
  await head.getByRole("link").click();
  await expect(page).not.toHaveURL(/sort=/);
});

test("a family that is chosen while a search is on its way is added to it", async ({ page }) => {
  await page.goto("/models?q=no+such+model");
  await expect(page.getByText("No models match.")).toBeVisible();
  await page.route("**/models*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.continue();
  });
  const search = page.getByRole("searchbox", { name: "Search models" });
  await Promise.all([page.waitForRequest(/\/models(\?_rsc|$)/), search.fill("")]);
  await page.getByText("Video", { exact: true }).first().click();
  await expect(page).toHaveURL(/\/models\?family=video$/);
  const names = page
    .getByRole("table", { name: /models/i })
    .getByRole("cell")
    .getByRole("link");
  await expect(names).toHaveCount(6);
  await search.fill("fast");
  await expect(page).toHaveURL(/\/models\?family=video&q=fast$/);
});

test("the home page shows what the models make, and a model's page its own", async ({
  page,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  const wall = page.getByRole("region", { name: "What the models make" });
  await expect(wall.getByRole("link", { name: "A video by Super-Relay2.5" })).toBeVisible();
  const picture = wall.locator("img").first();
  await picture.scrollIntoViewIfNeeded();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(100);
  const playing = () =>
    page
      .locator("video")
      .evaluateAll(
        (films: HTMLVideoElement[]) =>
          films.filter(({ paused, currentTime }) => !paused && currentTime > 0).length,
      );
  await wall.getByRole("link", { name: "A video by Super-Relay2.5" }).scrollIntoViewIfNeeded();
  await expect.poll(playing).toBeGreaterThan(0);
  expect(await playing()).toBeLessThanOrEqual(4);
  await wall.getByRole("button", { name: "Stop the films" }).click();
  await expect.poll(playing).toBe(0);
  await wall.getByRole("button", { name: "Play the films" }).click();
  await expect.poll(playing).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(playing).toBe(0);
  await wall.getByRole("link", { name: "A video by Super-Relay2.5" }).click();
  await expect(page).toHaveURL(/\/models\/super-relay-2\.5$/);
  const own = page.getByRole("region", { name: "Examples" }).getByRole("link", { name: "Video 1" });
  const url = (await own.getAttribute("href")) ?? "";
  const part = await request.get(url, { headers: { range: "bytes=4-7" } });
  expect(part.status()).toBe(206);
  expect(await part.text()).toBe("ftyp");
  expect(part.headers()["content-range"]).toMatch(/^bytes 4-7\/\d+$/);
  expect((await request.get(url, { headers: { range: "bytes=99999999-" } })).status()).toBe(416);
  expect((await request.get("/examples/super-relay-2.5/..%2f..%2fpackage.json")).status()).toBe(
    404,
  );
});

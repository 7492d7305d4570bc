import { sizes } from "./fine";
import { weighedPages, weighPage } from "./page-weight";
import { expect, openPoints, test } from "./product";

const SCRIPT_BYTES_MAX = 200_000;

for (const [size, viewport] of Object.entries(sizes)) {
  for (const path of [...weighedPages, "/login", "/signup"]) {
    test(`${path} on a ${size} loads less than 200 kB of compressed script and has no layout shift`, {
      tag: path === "/" && size === "desktop" ? "@core" : [],
    }, async ({ page }) => {
      await page.setViewportSize(viewport);
      const { scriptBytes, layoutShift } = await weighPage(page, path);
      expect(scriptBytes).toBeGreaterThan(20_000);
      expect(scriptBytes).toBeLessThan(SCRIPT_BYTES_MAX);
      expect(layoutShift).toBeLessThanOrEqual(0.001);
    });
  }
}

test("static files are compressed and cached for a year; pages are revalidated", {
  tag: "@core",
}, async ({ request, baseURL }) => {
  const html = await (await request.get("/")).text();
  const [, script] = /<script[^>]* src="(\/_next\/static\/[^"]+\.js)"/.exec(html) ?? [];
  const headersOf = async (path: string) =>
    (await fetch(`${baseURL}${path}`, { headers: { "accept-encoding": "gzip" } })).headers;
  const file = await headersOf(script ?? "");
  expect([file.get("content-encoding"), file.get("cache-control")]).toEqual([
    "gzip",
    "public, max-age=31536000, immutable",
  ]);
  const document = await headersOf("/");
  expect(document.get("content-encoding")).toBe("gzip");
  expect(document.get("cache-control")).toMatch(/no-store|no-cache/);
});

test("another page is fetched ahead once the pointer is on its link, and not before", {
  tag: "@core",
}, async ({ page }) => {
  const ahead = new Set<string>();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.headers()["next-router-prefetch"] !== undefined) ahead.add(pathname);
  });
  await openPoints(page);
  await page.waitForLoadState("networkidle");
  expect([...ahead]).toEqual([]);
  await page.getByRole("link", { name: "Usage", exact: true }).hover();
  await expect.poll(() => [...ahead]).toEqual(["/usage"]);
});

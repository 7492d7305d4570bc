/** Pages keep still while they arrive. */
import type { Page } from "@playwright/test";
import { extent } from "@/testing/extent/extent";
import { isReady, sizes } from "./fine";
import { signInAsOperator } from "./operator-desk";
import { expect, test } from "./product";
import { pagesOf } from "./route-roles";
import { startSlowServer } from "./slow-server";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

interface Shift extends PerformanceEntry {
  readonly value: number;
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`a page that is painted in pieces does not move on a ${size}`, async ({ page, baseURL }) => {
    await page.setViewportSize(viewport);
    const slow = await startSlowServer(baseURL ?? "");
    for (const path of ["/", "/models", "/pricing", "/login", "/signup", "/forgot"]) {
      await page.goto(`${slow.origin}${path}`);
      await page.waitForLoadState("networkidle");
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as Shift).value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(sum), 500);
          }),
      );
      // A link beside one that is not there yet, and half a word in the middle of a line.
      expect(moved, path).toBeLessThanOrEqual(0.002);
    }
    await slow.close();
  });
}

/** What has no box though nothing hides it. */
const lost = (page: Page) =>
  page.evaluate(() => {
    const isHidden = (each: Element) => {
      for (let at: Element | null = each; at; at = at.parentElement)
        if (getComputedStyle(at).display === "none") return true;
      return each.closest("details:not([open])") !== null;
    };
    return [
      ...document.querySelectorAll("main *:not(option, optgroup, br, wbr, col, style, svg *)"),
    ]
      .filter((each) => each.getClientRects().length === 0 && !isHidden(each))
      .filter((each) => getComputedStyle(each).display !== "contents")
      .map(({ tagName, className }) => `${tagName} ${className}`);
  });

test("nothing is lost of a page that arrives in pieces", async ({ page, baseURL }) => {
  await signInAsOperator(page);
  const others = extent<readonly string[]>([], [...pagesOf("dashboard"), ...pagesOf("operator")]);
  // Where a piece ends decides what may be lost.
  for (const bytes of [7000, 8000, 9000, 10_000, 11_000, 12_000, 13_000, 14_000]) {
    const slow = await startSlowServer(baseURL ?? "", bytes);
    // The same host, whose cookies are the session's.
    const place = Object.assign(new URL(baseURL ?? ""), { port: new URL(slow.origin).port });
    for (const path of ["/admin/models?new", ...(bytes === 7000 ? others : [])]) {
      const answer = await page.goto(String(new URL(path, place)));
      expect(answer?.status(), path).toBe(200);
      await isReady(page);
      expect(await lost(page), `${path} in pieces of ${bytes}`).toEqual([]);
    }
    await page.goto("about:blank");
    await slow.close();
  }
});

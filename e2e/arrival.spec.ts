/** Pages keep still while they arrive. */
import { sizes } from "./fine";
import { expect, test } from "./product";
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

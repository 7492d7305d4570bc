import type { Page } from "@playwright/test";

export const weighedPages = [
  "/",
  "/pricing",
  "/models",
  "/models/super-relay-2",
  "/docs",
  "/docs/videos",
  "/docs/api",
  "/docs/api/chat",
];

export interface PageWeight {
  /** The transferred size of the scripts in the document itself: what the first load needs. */
  readonly scriptBytes: number;
  /** Those, and the scripts loaded until the network was quiet. */
  readonly allScriptBytes: number;
  readonly otherBytes: number;
  readonly largestPaintMs: number;
  /** Cumulative layout shift as browsers count it, without shifts caused by the user. */
  readonly layoutShift: number;
}

/** Runs before any script of the page. */
function observe(): void {
  const seen = { largestPaintMs: 0, layoutShift: 0 };
  Object.assign(window, { relaySeen: seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largestPaintMs = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[]) {
      if (!entry.hadRecentInput) seen.layoutShift += entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Loads `path` with an empty cache and measures it. The page must be new. */
export async function weighPage(page: Page, path: string): Promise<PageWeight> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const kinds = new Map<string, { url: string; isScript: boolean }>();
  const bytes = new Map<string, number>();
  session.on("Network.responseReceived", ({ requestId, type, response }) =>
    kinds.set(requestId, {
      url: response.url,
      isScript: type === "Script" || response.mimeType.includes("javascript"),
    }),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  );
  await page.addInitScript(observe);
  const answer = await page.goto(path, { waitUntil: "networkidle" });
  const named = new Set(
    [...((await answer?.text()) ?? "").matchAll(/<script[^>]* src="([^"]+)"/g)].map(
      ([, src]) => new URL(src ?? "", page.url()).href,
    ),
  );
  const sumOf = (counts: (kind: { url: string; isScript: boolean }) => boolean) =>
    [...kinds].reduce((sum, [id, kind]) => (counts(kind) ? sum + (bytes.get(id) ?? 0) : sum), 0);
  const seen = await page.evaluate(
    () =>
      (window as unknown as { relaySeen: { largestPaintMs: number; layoutShift: number } })
        .relaySeen,
  );
  return {
    scriptBytes: sumOf(({ url, isScript }) => isScript && named.has(url)),
    allScriptBytes: sumOf(({ isScript }) => isScript),
    otherBytes: sumOf(({ isScript }) => !isScript),
    ...seen,
  };
}

/** How much has moved since the page began, also by what the user did. */
export const movedOn = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            sum += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );

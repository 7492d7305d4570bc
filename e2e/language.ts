import type { Page } from "@playwright/test";
import type { Locale } from "@/messages/locales";
import { englishIn } from "@/testing/product/english-text";
import { isReady } from "./fine";
import { expect } from "./product";

/** Changes the language of the next page that is loaded from `url`, the tests' product by default. */
export async function inLanguage(
  page: Page,
  value: Locale,
  url = process.env.E2E_BASE_URL ?? "",
): Promise<void> {
  await page.context().addCookies([{ name: "relay_locale", value, url }]);
}

/**
 * The texts of a page, with the labels that are only read out. Code is left out, and what users
 * type.
 */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const verbatim = "code, pre, kbd, samp, script, style, textarea, [translate=no]";
    const said = [...document.querySelectorAll<HTMLElement>("body *")].flatMap((element) => {
      if (element.closest(verbatim)) return [];
      const labels = ["aria-label", "title", "placeholder", "alt"].map((name) =>
        element.getAttribute(name),
      );
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!hasText) return labels;
      const copy = element.cloneNode(true) as HTMLElement;
      for (const code of copy.querySelectorAll(verbatim)) code.replaceWith("…");
      return [...labels, copy.textContent];
    });
    return [...new Set(said.filter((text) => text !== null))];
  });

/** A failure's or a state's own name, such as `invalid_value`. */
const rawCode = /(?<![\w./-])[a-z]+(?:_[a-z]+)+(?![\w./-])/g;

/** What the sandbox says as an upstream, which is shown as it came. */
const upstreamWords = /The prompt asked the sandbox [^.]*\./g;

/** Asserts that a Chinese page has no English sentence, and no code where words belong. */
export async function assertChinese(page: Page, what: string): Promise<void> {
  await isReady(page);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  const texts = (await textsOf(page)).map((text) => text.replaceAll(upstreamWords, ""));
  expect(texts.join(""), `${what} is in Chinese`).toMatch(/\p{Script=Han}{4}/u);
  const english = texts.flatMap((text) => [...englishIn(text), ...(text.match(rawCode) ?? [])]);
  expect([...new Set(english)], `English on ${what}`).toEqual([]);
}

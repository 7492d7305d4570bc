import type { Page } from "@playwright/test";
import { extent, isCore, isWhole } from "@/testing/extent/extent";
import { assertFine, sizes } from "./fine";
import { assertChinese, inLanguage } from "./language";

type Size = keyof typeof sizes;

/** The longer words on the narrow screen, and the other language on the wide one; or all four. */
const looks = isCore
  ? []
  : extent<readonly (readonly ["zh-CN" | "en", Size])[]>(
      [
        ["zh-CN", "desktop"],
        ["en", "phone"],
      ],
      [
        ["zh-CN", "desktop"],
        ["zh-CN", "phone"],
        ["en", "desktop"],
        ["en", "phone"],
      ],
    );

/** Keeps pictures of a whole page in both themes, for those who look at them afterwards. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  if (!isWhole) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: `test-results/${name}-${colorScheme}.png`, fullPage: true });
  }
}

/**
 * Checks what is open in both languages, sizes and themes, once `isReady` after each load. It
 * leaves the page in English.
 */
export async function lookAt(
  page: Page,
  name: string,
  isReady: () => Promise<void> = async () => {},
): Promise<void> {
  if (isCore) return;
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [language, size] of looks) {
    await inLanguage(page, language, new URL(page.url()).origin);
    await page.setViewportSize(sizes[size]);
    await page.reload();
    await isReady();
    await assertFine(page, `${name} in ${language} on a ${size}`, { isPhoneOwn: true });
    if (language === "zh-CN") await assertChinese(page, name);
    await keepPictures(page, `${name}-${language}-${size}`);
  }
}

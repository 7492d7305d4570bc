/** The languages the pages speak; the first is the fallback. */
export const locales = ["en", "zh-CN"] as const;
export type Locale = (typeof locales)[number];

export const LOCALE_COOKIE = "relay_locale";

function isLocale(text: string | undefined): text is Locale {
  return locales.some((locale) => locale === text);
}

/** The best of our languages for an `Accept-Language` header. */
export function preferredLocale(acceptLanguage: string | null): Locale {
  const ranges = (acceptLanguage ?? "")
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1])
        .find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of ranges) {
    const found = locales.find(
      (locale) => tag.split("-")[0] === locale.toLowerCase().split("-")[0],
    );
    if (found) return found;
  }
  return locales[0];
}

/** The language chosen on the pages, else the best one for the browser. */
export const chosenLocale = (chosen: string | undefined, acceptLanguage: string | null): Locale =>
  isLocale(chosen) ? chosen : preferredLocale(acceptLanguage);

/** The language of a request's sender. */
export function localeOf(headers: Pick<Headers, "get">): Locale {
  const named = `${LOCALE_COOKIE}=`;
  const cookie = (headers.get("cookie") ?? "").split(/;\s*/).find((each) => each.startsWith(named));
  return chosenLocale(cookie?.slice(named.length), headers.get("accept-language"));
}

/** A text that may be there in one language only, in the reader's where it is, with its language. */
export function inLanguage(
  { en, zh }: { en: string | null; zh: string | null },
  locale: string,
): { text: string; lang: "en" | "zh-CN" } {
  const isChinese = zh !== null && (locale.startsWith("zh") || en === null);
  return isChinese ? { text: zh, lang: "zh-CN" } : { text: en ?? "", lang: "en" };
}

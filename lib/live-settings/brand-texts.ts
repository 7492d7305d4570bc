/** What an installation shows of its own, as the settings have it. */
import type { Locale } from "@/messages/locales";
import { type Accent, accentSheet } from "../contract/accent";
import type { BrandNames } from "../contract/brand";
import { type LegalPage, type LiveSettingName, legalPages } from "../contract/setting-names";
import { inLanguage } from "../contract/two-languages";

type Value = (name: LiveSettingName) => string;

const given = (text: string): string | null => (text.trim() === "" ? null : text.trim());

export const brandNamesOf = (value: Value): BrandNames => ({
  en: given(value("brand_name_en")),
  "zh-CN": given(value("brand_name_zh")),
});

/** A text in the reader's language, else in the other one; null where there is none. */
export function brandText(
  value: Value,
  name: "home_title" | "home_lead" | "footer" | LegalPage,
  locale: Locale,
): { readonly text: string; readonly lang: Locale } | null {
  const [en, zh] = [given(value(`${name}_en`)), given(value(`${name}_zh`))];
  return en === null && zh === null ? null : inLanguage({ en, zh }, locale);
}

export const givenLegalPages = (value: Value): LegalPage[] =>
  legalPages.filter((page) => brandText(value, page, "en") !== null);

export const accentOf = (value: Value): Accent => ({
  light: given(value("accent_light")),
  dark: given(value("accent_dark")),
});

export const brandSheet = (value: Value): string | null => accentSheet(accentOf(value));

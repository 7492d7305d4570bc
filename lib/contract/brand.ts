/**
 * What the installation is called, in memory: the operator's name, else ours. Documents, mails and
 * pages read it here. Whoever reads the settings replaces it.
 */
/** The languages of the pages. */
type Locale = "en" | "zh-CN";

const OWN_NAME = "Relay";

/** Null in a language in which none was given. */
export type BrandNames = Readonly<Record<Locale, string | null>>;

declare global {
  // Next bundles several copies of this module; all read the same names.
  var relayBrandNames: BrandNames | undefined;
}

export function replaceBrandNames(names: BrandNames): void {
  globalThis.relayBrandNames = names;
}

/** The operator's name, in the other language where it is given only there; null where it is ours. */
export function givenBrandName(locale: Locale = "en"): string | null {
  const names = globalThis.relayBrandNames;
  return names?.[locale] ?? names?.en ?? names?.["zh-CN"] ?? null;
}

export const brandName = (locale: Locale = "en"): string => givenBrandName(locale) ?? OWN_NAME;

/** What pages and files for machines show of the installation's own, made of the live settings. */
import type { Locale } from "@/messages/locales";
import en from "../../messages/en.json";
import zh from "../../messages/zh-CN.json";
import { accentPair } from "../contract/accent";
import { brandName, givenBrandName } from "../contract/brand";
import type { BrandSettingName } from "../contract/setting-names";
import { type BrandImage, brandImage, imageOf } from "../live-settings/brand-image";
import { accentOf, brandText } from "../live-settings/brand-texts";
import type { LiveSettings } from "../live-settings/live-settings";

export { brandSheet, brandText, givenLegalPages } from "../live-settings/brand-texts";

type Value = LiveSettings["value"];

const messagesOf = (locale: Locale) => (locale === "en" ? en : zh).meta;

/** The title of the site itself. */
export function siteTitle(value: Value, locale: Locale): string {
  const tagline = brandText(value, "home_title", locale)?.text ?? messagesOf(locale).tagline;
  return `${brandName(locale)}${locale === "en" ? ": " : "："}${tagline}`;
}

export const siteDescription = (value: Value, locale: Locale): string =>
  brandText(value, "home_lead", locale)?.text ?? messagesOf(locale).description;

/** The last image of each setting, with the text that it was made of. */
const known = new Map<BrandSettingName, { of: string; image: BrandImage | null }>();

function imageIn(value: Value, name: "brand_logo" | "brand_icon"): BrandImage | null {
  const text = value(name);
  const before = known.get(name);
  if (before?.of === text) return before.image;
  const image = brandImage(text);
  known.set(name, { of: text, image });
  return image;
}

export const logoIn = (value: Value): BrandImage | null => imageIn(value, "brand_logo");

const logoAddress = ({ hash }: BrandImage) => `/brand/logo?v=${hash}`;

/** The picture beside the name: our mark, the operator's logo, or nothing. */
export function shownMark(
  value: Value,
): "ours" | "none" | { address: string; width: number; height: number } {
  const logo = logoIn(value);
  if (logo === null) return givenBrandName() === null ? "ours" : "none";
  return { address: logoAddress(logo), width: logo.width, height: logo.height };
}

const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The first letter of the name on the operator's colour. */
function letterIcon(value: Value, name: string): BrandImage {
  const [letter = ""] = name;
  const ground = accentPair(accentOf(value))?.light ?? "#211d18";
  return imageOf(
    "image/svg+xml",
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${ground}"/><text x="32" y="44" font-family="system-ui,sans-serif" font-size="34" font-weight="600" text-anchor="middle" fill="#fff">${letter.toUpperCase().replace(/[&<>]/g, (mark) => marks[mark] ?? mark)}</text></svg>`,
    ),
    { width: 64, height: 64 },
  );
}

/** The operator's icon, a square logo, or a letter of the name; null where ours is shown. */
export function shownIcon(value: Value) {
  const [icon, logo, name] = [imageIn(value, "brand_icon"), logoIn(value), givenBrandName()];
  if (icon === null && logo === null && name === null) return null;
  const square = logo !== null && logo.width === logo.height ? logo : null;
  const image = icon ?? square ?? letterIcon(value, brandName());
  const sizes = image.type === "image/png" ? `${image.width}x${image.height}` : "any";
  return { image, sizes, address: `/brand/icon?v=${image.hash}` };
}

/** The image where a page's link is shared: ours, the operator's logo, or none. */
export function sharedImage(value: Value) {
  const logo = logoIn(value);
  if (logo?.type === "image/png")
    return { url: logoAddress(logo), width: logo.width, height: logo.height };
  const isOurs = logo === null && givenBrandName() === null;
  return isOurs ? { url: "/opengraph.png", width: 1200, height: 630 } : null;
}

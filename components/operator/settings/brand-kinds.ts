import { accentProblem } from "@/lib/contract/accent";
import {
  BRAND_FILE_BYTES_MAX,
  BRAND_NAME_LENGTH_MAX,
  FOOTER_LENGTH_MAX,
  HOME_LEAD_LENGTH_MAX,
  HOME_TITLE_LENGTH_MAX,
} from "@/lib/contract/limits";
import type { LiveSettingView } from "@/lib/contract/operator-settings";
import { type BrandSettingName, brandSettingNames } from "@/lib/contract/setting-names";

type Kind = "line" | "image" | "colour" | "page";

export const isBrandSetting = (name: LiveSettingView["name"]): name is BrandSettingName =>
  brandSettingNames.some((each) => each === name);

export function kindOf(name: BrandSettingName): Kind {
  if (name === "brand_logo" || name === "brand_icon") return "image";
  if (name === "accent_light" || name === "accent_dark") return "colour";
  return /^(terms|privacy|imprint)_/.test(name) ? "page" : "line";
}

export const themeOf = (name: BrandSettingName) => (name === "accent_dark" ? "dark" : "light");

export function longestLine(name: BrandSettingName): number {
  if (name.startsWith("brand_name")) return BRAND_NAME_LENGTH_MAX;
  if (name.startsWith("home_title")) return HOME_TITLE_LENGTH_MAX;
  return name.startsWith("home_lead") ? HOME_LEAD_LENGTH_MAX : FOOTER_LENGTH_MAX;
}

/** The server checks an image; it says what is wrong with it. */
export function isFairBrand(name: BrandSettingName, value: string): boolean {
  const kind = kindOf(name);
  if (kind === "image" || value === "") return true;
  if (kind === "colour") return accentProblem(value, themeOf(name)) === null;
  if (kind === "page") return new TextEncoder().encode(value).length <= BRAND_FILE_BYTES_MAX;
  return value.length <= longestLine(name);
}

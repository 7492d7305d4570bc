/** The settings of what an installation shows of its own: empty where it shows ours, or nothing. */
import { ACCENT_CONTRAST_MIN, accentProblem, type Theme } from "../contract/accent";
import {
  BRAND_FILE_BYTES_MAX,
  BRAND_IMAGE_PIXELS_MAX,
  BRAND_NAME_LENGTH_MAX,
  FOOTER_LENGTH_MAX,
  HOME_LEAD_LENGTH_MAX,
  HOME_TITLE_LENGTH_MAX,
} from "../contract/limits";
import type { BrandSettingName } from "../contract/setting-names";
import { isShownText } from "../contract/shown-rule";
import { readBrandImage } from "./brand-image";
import type { LiveSetting } from "./live-setting";

/** A line of text; empty where there is none. */
export const lineOfText = (max: number): LiveSetting => ({
  variable: null,
  fallback: "",
  allowed: `one line of at most ${max} characters`,
  isAllowed: (value) => value.length <= max && isShownText(value),
});

const hasOtherControls = /[^\P{Cc}\t\r\n]/u;

/** A page in Markdown. */
const pageOfText: LiveSetting = {
  variable: null,
  fallback: "",
  allowed: `Markdown of at most ${BRAND_FILE_BYTES_MAX} bytes, without control characters`,
  isAllowed: (value) =>
    Buffer.byteLength(value) <= BRAND_FILE_BYTES_MAX && !hasOtherControls.test(value),
  problemOf: (value) => `it has ${Buffer.byteLength(value)} bytes`,
};

function image(isIcon: boolean): LiveSetting {
  const problemOf = (value: string): string | null => {
    if (value === "") return null;
    const read = readBrandImage(value, isIcon);
    return "problem" in read ? read.problem : null;
  };
  return {
    variable: null,
    fallback: "",
    allowed: `a ${isIcon ? "square " : ""}PNG or SVG of at most ${BRAND_FILE_BYTES_MAX} bytes and ${BRAND_IMAGE_PIXELS_MAX} pixels a side, as data:image/png;base64,… or data:image/svg+xml;base64,…`,
    isAllowed: (value) => problemOf(value) === null,
    problemOf,
  };
}

function accent(theme: Theme): LiveSetting {
  const problemOf = (value: string) => (value === "" ? null : accentProblem(value, theme));
  return {
    variable: null,
    fallback: "",
    allowed: `a colour such as #1a56db, with a contrast of ${ACCENT_CONTRAST_MIN}:1 to every ground of the ${theme} pages`,
    isAllowed: (value) => problemOf(value) === null,
    problemOf,
  };
}

export const brandSettings = {
  brand_name_en: lineOfText(BRAND_NAME_LENGTH_MAX),
  brand_name_zh: lineOfText(BRAND_NAME_LENGTH_MAX),
  brand_logo: image(false),
  brand_icon: image(true),
  accent_light: accent("light"),
  accent_dark: accent("dark"),
  home_title_en: lineOfText(HOME_TITLE_LENGTH_MAX),
  home_title_zh: lineOfText(HOME_TITLE_LENGTH_MAX),
  home_lead_en: lineOfText(HOME_LEAD_LENGTH_MAX),
  home_lead_zh: lineOfText(HOME_LEAD_LENGTH_MAX),
  footer_en: lineOfText(FOOTER_LENGTH_MAX),
  footer_zh: lineOfText(FOOTER_LENGTH_MAX),
  terms_en: pageOfText,
  terms_zh: pageOfText,
  privacy_en: pageOfText,
  privacy_zh: pageOfText,
  imprint_en: pageOfText,
  imprint_zh: pageOfText,
} as const satisfies Record<BrandSettingName, LiveSetting>;

import type { LiveSettingName } from "@/lib/contract/setting-names";

/** The settings by what they are about, in the order of the page. A group's name is its anchor. */
export const settingGroups = {
  signUp: ["sign_up", "second_factor", "human_check", "human_check_tries"],
  welcome: ["welcome_points", "welcome_per_address", "welcome_per_domain", "welcome_verified"],
  referral: ["referral_points", "referral_days", "referral_month_max", "referral_total_max"],
  keys: ["key_requests_per_minute", "key_budget"],
  requests: ["virtual_models", "channel_test_seconds", "response_days"],
  payments: ["automatic_topup", "seller_name", "seller_address", "seller_tax_number"],
  brand: [
    "brand_name_en",
    "brand_name_zh",
    "brand_logo",
    "brand_icon",
    "accent_light",
    "accent_dark",
  ],
  home: [
    "home_title_en",
    "home_title_zh",
    "home_lead_en",
    "home_lead_zh",
    "home_films",
    "home_figures",
    "footer_en",
    "footer_zh",
    "status_page",
  ],
  legal: ["terms_en", "terms_zh", "privacy_en", "privacy_zh", "imprint_en", "imprint_zh"],
} as const satisfies Record<string, readonly LiveSettingName[]>;

export type SettingGroup = keyof typeof settingGroups;

export function hasWords(text: string, search: string): boolean {
  const within = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}

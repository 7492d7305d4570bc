/** The names of the settings that take effect without a restart. This file imports nothing. */

/** What an installation shows of its own in place of ours. */
export const brandSettingNames = [
  "brand_name_en",
  "brand_name_zh",
  "brand_logo",
  "brand_icon",
  "accent_light",
  "accent_dark",
  "home_title_en",
  "home_title_zh",
  "home_lead_en",
  "home_lead_zh",
  "footer_en",
  "footer_zh",
  "terms_en",
  "terms_zh",
  "privacy_en",
  "privacy_zh",
  "imprint_en",
  "imprint_zh",
] as const;
export type BrandSettingName = (typeof brandSettingNames)[number];

/** Parts of the home page that an installation may leave out. */
export const homeParts = ["home_films", "home_figures"] as const;

export const legalPages = ["terms", "privacy", "imprint"] as const;
export type LegalPage = (typeof legalPages)[number];

export const liveSettingNames = [
  "sign_up",
  "welcome_points",
  "welcome_per_address",
  "welcome_per_domain",
  "welcome_verified",
  "key_requests_per_minute",
  "key_budget",
  "response_days",
  "second_factor",
  "status_page",
  "human_check",
  "human_check_tries",
  "channel_test_seconds",
  "virtual_models",
  "automatic_topup",
  "seller_name",
  "seller_address",
  "seller_tax_number",
  "referral_points",
  "referral_days",
  "referral_month_max",
  "referral_total_max",
  ...brandSettingNames,
  ...homeParts,
] as const;
export type LiveSettingName = (typeof liveSettingNames)[number];

import type { LiveSettingName, OperatorScope } from "./states";

/** The settings that decide who has access or what is given away, and the scope that each needs as well. */
export const settingScopes: Readonly<Record<LiveSettingName, OperatorScope>> = {
  sign_up: "access:write",
  welcome_points: "points:write",
  welcome_per_address: "points:write",
  welcome_per_domain: "points:write",
  welcome_verified: "points:write",
  key_requests_per_minute: "settings:write",
  key_budget: "settings:write",
  response_days: "settings:write",
  channel_test_seconds: "settings:write",
  second_factor: "access:write",
  status_page: "settings:write",
  human_check: "access:write",
  human_check_tries: "access:write",
  automatic_topup: "points:write",
  seller_name: "settings:write",
  seller_address: "settings:write",
  seller_tax_number: "settings:write",
  referral_points: "points:write",
  referral_days: "points:write",
  referral_month_max: "points:write",
  referral_total_max: "points:write",
};

import {
  BILLING_ADDRESS_LENGTH_MAX,
  BILLING_NAME_LENGTH_MAX,
  CHANNEL_TEST_SECONDS_MAX,
  CHANNEL_TEST_SECONDS_MIN,
  HUMAN_CHECK_TRIES_MAX,
  HUMAN_CHECK_TRIES_MIN,
  REFERRAL_DAYS_MAX,
  REQUESTS_PER_MINUTE_MAX,
  RESPONSE_DAYS_MAX,
  TAX_NUMBER_LENGTH_MAX,
} from "@/lib/contract/limits";
import type { LiveSettingView } from "@/lib/contract/operator-settings";
import { homeParts } from "@/lib/contract/setting-names";
import { readVirtualModels } from "@/lib/contract/virtual-rules";
import { amountPattern } from "@/lib/money/points";
import { isBrandSetting, isFairBrand } from "./brand-kinds";

/** Settings without another word than a number. */
export const wholeNumbers: readonly LiveSettingView["name"][] = [
  "key_requests_per_minute",
  "response_days",
  "human_check_tries",
  "channel_test_seconds",
  "referral_days",
];

export const yesOrNo: readonly LiveSettingView["name"][] = [
  "welcome_verified",
  "human_check",
  "automatic_topup",
  ...homeParts,
];

/** Lines of text, by their longest. */
export const lines: ReadonlyMap<LiveSettingView["name"], number> = new Map([
  ["seller_name", BILLING_NAME_LENGTH_MAX],
  ["seller_address", BILLING_ADDRESS_LENGTH_MAX],
  ["seller_tax_number", TAX_NUMBER_LENGTH_MAX],
]);

/** Whether the setting may be `none`, no limit. Its field is empty then. */
export const mayBeNone = (name: LiveSettingView["name"]) =>
  name === "key_budget" || name.startsWith("welcome_per") || name.endsWith("_max");

const isPoints = (text: string) => amountPattern.test(text);
const isCount = (text: string, min: number, max: number) =>
  /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** Whether the field takes the value. The server has the last word. */
export function isFair(name: LiveSettingView["name"], value: string): boolean {
  if (isBrandSetting(name)) return isFairBrand(name, value);
  if (name === "virtual_models") return typeof readVirtualModels(value) !== "string";
  const longest = lines.get(name);
  if (longest !== undefined) return value.length <= longest;
  if (name === "sign_up" || yesOrNo.includes(name)) return true;
  if (name === "second_factor" || name === "status_page") return true;
  if (name === "welcome_points" || name === "referral_points") return isPoints(value);
  if (name === "referral_days") return isCount(value, 0, REFERRAL_DAYS_MAX);
  if (value === "none" && mayBeNone(name)) return true;
  if (name === "key_budget") return isPoints(value) && /[1-9]/.test(value);
  if (mayBeNone(name)) return isCount(value, 0, Number.POSITIVE_INFINITY);
  if (name === "response_days") return isCount(value, 0, RESPONSE_DAYS_MAX);
  if (name === "human_check_tries")
    return isCount(value, HUMAN_CHECK_TRIES_MIN, HUMAN_CHECK_TRIES_MAX);
  if (name === "channel_test_seconds")
    return value === "0" || isCount(value, CHANNEL_TEST_SECONDS_MIN, CHANNEL_TEST_SECONDS_MAX);
  return isCount(value, 1, REQUESTS_PER_MINUTE_MAX);
}

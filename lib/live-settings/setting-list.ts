/** The settings that take effect without a restart: their valid values and their defaults. */

import {
  BILLING_ADDRESS_LENGTH_MAX,
  BILLING_NAME_LENGTH_MAX,
  CHANNEL_TEST_SECONDS_MAX,
  CHANNEL_TEST_SECONDS_MIN,
  GIVEN_POINTS_MAX,
  HUMAN_CHECK_TRIES_MAX,
  HUMAN_CHECK_TRIES_MIN,
  REFERRAL_DAYS_MAX,
  REQUESTS_PER_MINUTE_DEFAULT,
  REQUESTS_PER_MINUTE_MAX,
  RESPONSE_DAYS_MAX,
  TAX_NUMBER_LENGTH_MAX,
  VIRTUAL_RULES_LENGTH_MAX,
} from "../contract/limits";
import { type LiveSettingName, liveSettingNames } from "../contract/setting-names";
import { statusPageRules } from "../contract/states";
import { readVirtualModels } from "../contract/virtual-rules";
import { invalidValue, RelayError } from "../failures/relay-error";
import { amountPattern, parsePoints } from "../money/points";
import { settingsSchema } from "../settings/settings";
import { isKeyOf } from "../values/records";
import { brandSettings, lineOfText } from "./brand-settings";
import type { LiveSetting } from "./live-setting";

/** A setting that also exists in the environment, with the same rule. */
const asInEnvironment = (
  variable: keyof typeof settingsSchema.shape,
  fallback: string,
  allowed: string,
): LiveSetting => ({
  variable,
  fallback,
  allowed,
  isAllowed: (value) => settingsSchema.shape[variable].safeParse(value).success,
});

const isCount = (value: string, max: number) => /^\d{1,6}$/.test(value) && Number(value) <= max;
const countOrNone = (fallback: string): LiveSetting => ({
  variable: null,
  fallback,
  allowed: "a whole number from 0 to 999999, or none",
  isAllowed: (value) => value === "none" || isCount(value, 999_999),
});
/** Points that are given to whoever signs up or is referred. */
const givenPoints = (
  fallback: string,
  more = "",
): Pick<LiveSetting, "fallback" | "allowed"> & {
  isAllowed(value: string): boolean;
} => ({
  fallback,
  allowed: `a number of points from 0 to ${GIVEN_POINTS_MAX} with up to six decimals${more}`,
  isAllowed: (value) =>
    isPoints(value) && (parsePoints(value) ?? 0n) <= BigInt(GIVEN_POINTS_MAX) * 1_000_000n,
});
function virtualProblem(value: string): string | null {
  const read = readVirtualModels(value);
  return typeof read === "string" ? read : null;
}
const yesOrNo = (fallback: "yes" | "no"): LiveSetting => ({
  variable: null,
  fallback,
  allowed: "yes or no",
  isAllowed: (value) => value === "yes" || value === "no",
});
const isPoints = (value: string) => amountPattern.test(value) && parsePoints(value) !== null;

export const liveSettings = {
  sign_up: asInEnvironment("RELAY_SIGNUP", "open", "one of open, invite, closed"),
  welcome_points: {
    variable: "RELAY_WELCOME_POINTS",
    ...givenPoints("1000"),
  },
  welcome_per_address: asInEnvironment(
    "RELAY_WELCOME_PER_ADDRESS",
    "3",
    "a whole number from 0 to 999999, or none",
  ),
  welcome_per_domain: asInEnvironment(
    "RELAY_WELCOME_PER_DOMAIN",
    "3",
    "a whole number from 0 to 999999, or none",
  ),
  welcome_verified: asInEnvironment("RELAY_WELCOME_VERIFIED", "no", "yes or no"),
  key_requests_per_minute: {
    variable: null,
    fallback: String(REQUESTS_PER_MINUTE_DEFAULT),
    allowed: `a whole number from 1 to ${REQUESTS_PER_MINUTE_MAX}`,
    isAllowed: (value) =>
      /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= REQUESTS_PER_MINUTE_MAX,
  },
  key_budget: {
    variable: null,
    fallback: "none",
    allowed: "points above 0 with up to six decimals, or none",
    isAllowed: (value) => value === "none" || (isPoints(value) && (parsePoints(value) ?? 0n) > 0n),
  },
  response_days: {
    variable: null,
    fallback: "30",
    allowed: `a whole number of days from 0 to ${RESPONSE_DAYS_MAX}; 0: responses are not stored`,
    isAllowed: (value) => /^\d{1,3}$/.test(value) && Number(value) <= RESPONSE_DAYS_MAX,
  },
  second_factor: asInEnvironment(
    "RELAY_SECOND_FACTOR",
    "auto",
    "one of auto, nobody, operators, everyone",
  ),
  status_page: {
    variable: null,
    fallback: "operators",
    allowed: "operators or everyone",
    isAllowed: (value) => statusPageRules.some((rule) => rule === value),
  },
  human_check: yesOrNo("no"),
  human_check_tries: {
    variable: null,
    fallback: "100",
    allowed: `a whole number from ${HUMAN_CHECK_TRIES_MIN} to ${HUMAN_CHECK_TRIES_MAX}`,
    isAllowed: (value) =>
      isCount(value, HUMAN_CHECK_TRIES_MAX) && Number(value) >= HUMAN_CHECK_TRIES_MIN,
  },
  channel_test_seconds: {
    variable: null,
    fallback: "60",
    allowed: `a whole number of seconds from ${CHANNEL_TEST_SECONDS_MIN} to ${CHANNEL_TEST_SECONDS_MAX}, or 0: nothing is tested`,
    isAllowed: (value) =>
      value === "0" ||
      (isCount(value, CHANNEL_TEST_SECONDS_MAX) && Number(value) >= CHANNEL_TEST_SECONDS_MIN),
  },
  virtual_models: {
    variable: null,
    fallback: "",
    allowed: `lines such as relay/best: context>=32000 order=cheapest, of at most ${VIRTUAL_RULES_LENGTH_MAX} characters`,
    isAllowed: (value) =>
      value.length <= VIRTUAL_RULES_LENGTH_MAX && typeof readVirtualModels(value) !== "string",
    problemOf: virtualProblem,
  },
  automatic_topup: yesOrNo("yes"),
  seller_name: lineOfText(BILLING_NAME_LENGTH_MAX),
  seller_address: lineOfText(BILLING_ADDRESS_LENGTH_MAX),
  seller_tax_number: lineOfText(TAX_NUMBER_LENGTH_MAX),
  referral_points: {
    variable: null,
    ...givenPoints("0", "; 0: there are no referral links"),
  },
  referral_days: {
    variable: null,
    fallback: "14",
    allowed: `a whole number of days from 0 to ${REFERRAL_DAYS_MAX}`,
    isAllowed: (value) => isCount(value, REFERRAL_DAYS_MAX),
  },
  referral_month_max: countOrNone("10"),
  referral_total_max: countOrNone("100"),
  ...brandSettings,
  home_films: yesOrNo("yes"),
  home_figures: yesOrNo("yes"),
} as const satisfies Record<LiveSettingName, LiveSetting>;

/** Throws `not_found` when there is no such setting. */
export function settingName(name: string): LiveSettingName {
  if (isKeyOf(liveSettings, name)) return name;
  throw new RelayError("not_found", {
    message: `There is no setting ${name}. The settings are ${liveSettingNames.join(", ")}.`,
  });
}

/** Throws `invalid_value` when the setting does not allow the value. */
export function assertAllowed(name: LiveSettingName, value: string): void {
  const setting: LiveSetting = liveSettings[name];
  if (setting.isAllowed(value)) return;
  const problem = setting.problemOf?.(value) ?? null;
  throw invalidValue(
    name,
    `${name} is ${JSON.stringify(value.slice(0, 60))}: it must be ${setting.allowed}${problem === null ? "" : `; ${problem}`}.`,
  );
}

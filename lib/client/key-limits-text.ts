import { useLocale, useTranslations } from "next-intl";
import type { ApiKeyView } from "../contract/api-keys";
import { shortPoints } from "./points-display";
import { dayText } from "./times";

type Limits = Pick<
  ApiKeyView,
  | "budgets"
  | "requestsPerMinute"
  | "budget"
  | "spent"
  | "models"
  | "expiresAt"
  | "hourlySpendMax"
  | "allowedAddresses"
  | "concurrentMax"
  | "tokensPerMinute"
>;

/**
 * A key's limits in one line: `60 requests / min · 500 points · 2 models · until 3 May`. Without its budgets
 * where they are shown beside.
 */
export function useKeyLimitsText(hasBudgets = true) {
  const t = useTranslations("keys");
  const locale = useLocale();
  const budgetTexts = (key: Limits) => [
    key.budget === null
      ? key.budgets.length > 0
        ? null
        : t("noBudget")
      : t("usedOf.lifetime", { spent: shortPoints(key.spent), budget: shortPoints(key.budget) }),
    ...key.budgets.map(({ period, budget, left }) =>
      t(`leftOf.${period}`, { left: shortPoints(left), budget: shortPoints(budget) }),
    ),
  ];
  return (key: Limits) =>
    [
      t("perMinute", { count: key.requestsPerMinute }),
      key.concurrentMax === null ? null : t("atOnce", { count: key.concurrentMax }),
      key.tokensPerMinute === null ? null : t("perMinuteTokens", { count: key.tokensPerMinute }),
      ...(hasBudgets ? budgetTexts(key) : []),
      key.hourlySpendMax === null
        ? null
        : t("perHour", { points: shortPoints(key.hourlySpendMax) }),
      key.models.length > 0 ? t("modelCount", { count: key.models.length }) : null,
      key.allowedAddresses.length > 0
        ? t("addressCount", { count: key.allowedAddresses.length })
        : null,
      key.expiresAt ? t("until", { day: dayText(key.expiresAt, locale) }) : null,
    ]
      .filter(Boolean)
      .join(" · ");
}

import { useLocale, useTranslations } from "next-intl";
import { moneyText } from "@/lib/client/money-text";
import { shortPoints } from "@/lib/client/points-display";
import type { PlanView } from "@/lib/contract/plans";

/** A plan's terms in words. */
export function usePlanText() {
  const t = useTranslations("plan");
  const locale = useLocale();
  return {
    /** Such as `100 points a month. What is left ends with the period.` */
    terms: ({ points, period, hours, rolloverPercent }: PlanView) =>
      t("terms", {
        points: t(`points.${period}`, { points: shortPoints(points), hours: hours ?? 0 }),
        goesOn: t("goesOn", { percent: rolloverPercent }),
      }),
    /** Of several periods at once. */
    advance: ({ advancePeriods, advanceAmount, currency }: PlanView) =>
      t("advance", {
        count: advancePeriods ?? 0,
        price: moneyText(advanceAmount ?? 0, currency ?? "", locale),
      }),
    /** Of a period. */
    price: ({ amount, currency }: PlanView) =>
      amount === null || currency === null ? t("free") : moneyText(amount, currency, locale),
  };
}

import { useTranslations } from "next-intl";
import { ifEmpty } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { majorOf, minorOf } from "@/lib/client/money-text";
import { useOperatorWrite } from "@/lib/client/write";
import { PLAN_ADVANCE_MAX } from "@/lib/contract/limits";
import { type OperatorPlanView, operatorPlanEndpoints } from "@/lib/contract/operator-plans";
import { planPeriods } from "@/lib/contract/states";
import { shortDecimal } from "@/lib/money/points";
import { useOperatorForm } from "../use-operator-form";

const startOf = (before: OperatorPlanView | null) => ({
  name: before?.name ?? "",
  note: before?.note ?? "",
  points: before ? shortDecimal(before.points) : "",
  period: String(before?.period ?? "month"),
  hours: before?.hours?.toString() ?? "",
  rolloverPercent: String(before?.rolloverPercent ?? 0),
  groupId: before?.group?.id ?? "",
  amount: before?.amount && before.currency ? majorOf(before.amount, before.currency) : "",
  currency: before?.currency?.toUpperCase() ?? "",
  advancePeriods: before?.advancePeriods?.toString() ?? "",
  advanceAmount:
    before?.advanceAmount && before.currency ? majorOf(before.advanceAmount, before.currency) : "",
});

const isWhole = (text: string, min: number, max: number) =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;

/** The form of a new plan, or of one that is changed. */
export function usePlanForm(
  before: OperatorPlanView | null,
  isOffered: boolean,
  onClose: () => void,
) {
  const t = useTranslations("operator.plans");
  const create = useOperatorWrite(operatorPlanEndpoints.createPlan);
  const change = useOperatorWrite(operatorPlanEndpoints.changePlan);
  const currencyOf = (text: string) => text.trim().toLowerCase();
  return useOperatorForm({
    start: startOf(before),
    problemsOf: ({
      name,
      points,
      period,
      hours,
      rolloverPercent,
      amount,
      currency,
      ...advance
    }) => ({
      name: ifEmpty(name, t("nameMissing")),
      points: ifEmpty(points, t("pointsMissing")),
      hours: period === "hours" && !isWhole(hours, 1, 8784) ? t("hoursWrong") : undefined,
      rolloverPercent: isWhole(rolloverPercent, 0, 100) ? undefined : t("rolloverWrong"),
      amount:
        amount.trim() === "" && currency.trim() === ""
          ? undefined
          : minorOf(amount, currencyOf(currency)) === null
            ? t("priceWrong")
            : undefined,
      advancePeriods:
        advance.advancePeriods.trim() === "" || isWhole(advance.advancePeriods, 2, PLAN_ADVANCE_MAX)
          ? undefined
          : t("advanceWrong", { max: PLAN_ADVANCE_MAX }),
      advanceAmount:
        advance.advancePeriods.trim() === "" && advance.advanceAmount.trim() === ""
          ? undefined
          : minorOf(advance.advanceAmount, currencyOf(currency)) === null
            ? t("priceWrong")
            : undefined,
    }),
    send: (values) => {
      const currency = currencyOf(values.currency) || null;
      const period = planPeriods.find((each) => each === values.period) ?? "month";
      const body = {
        name: values.name.trim(),
        note: values.note.trim() || null,
        points: values.points.trim(),
        period,
        hours: period === "hours" ? Number(values.hours) : null,
        rolloverPercent: Number(values.rolloverPercent),
        groupId: values.groupId || null,
        // `problemsOf` has checked it.
        amount: currency === null ? null : minorOf(values.amount, currency),
        currency,
        advancePeriods: Number(values.advancePeriods) || null,
        advanceAmount: currency === null ? null : minorOf(values.advanceAmount, currency),
        isOffered,
      };
      return before ? change.mutateAsync({ id: before.id, body }) : create.mutateAsync({ body });
    },
    onDone: closing(onClose, t("saved")),
  });
}

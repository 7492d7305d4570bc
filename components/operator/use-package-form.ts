import { useTranslations } from "next-intl";
import { ifEmpty } from "@/components/forms/use-server-form";
import { majorOf, minorOf } from "@/lib/client/money-text";
import { useOperatorWrite } from "@/lib/client/write";
import { type OperatorPackageView, topupEndpoints } from "@/lib/contract/operator-topup";
import { shortDecimal } from "@/lib/money/points";
import { useOperatorForm } from "./use-operator-form";

export function usePackageForm(
  before: OperatorPackageView | null,
  isEnabled: boolean,
  onDone: () => void,
) {
  const t = useTranslations("operator.packages");
  const create = useOperatorWrite(topupEndpoints.createPackage);
  const change = useOperatorWrite(topupEndpoints.changePackage);
  return useOperatorForm({
    start: {
      name: before?.name ?? "",
      note: before?.note ?? "",
      points: before ? shortDecimal(before.points) : "",
      amount: before ? majorOf(before.amount, before.currency) : "",
      currency: before?.currency.toUpperCase() ?? "",
      position: String(before?.position ?? 0),
    },
    problemsOf: ({ name, points, amount, currency }) => ({
      name: ifEmpty(name, t("nameMissing")),
      points: ifEmpty(points, t("pointsMissing")),
      amount: minorOf(amount, currency.trim().toLowerCase()) === null ? t("priceWrong") : undefined,
      currency: ifEmpty(currency, t("currencyHint")),
    }),
    send: (values) => {
      const currency = values.currency.trim().toLowerCase();
      const body = {
        name: values.name.trim(),
        note: values.note.trim() || null,
        points: values.points.trim(),
        // `problemsOf` has checked it.
        amount: minorOf(values.amount, currency) ?? 0,
        currency,
        isEnabled,
        position: Number(values.position) || 0,
      };
      return before ? change.mutateAsync({ id: before.id, body }) : create.mutateAsync({ body });
    },
    onDone,
  });
}

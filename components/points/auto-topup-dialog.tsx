import { useLocale, useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { SelectField, TextField } from "@/components/forms/text-field";
import { useServerForm } from "@/components/forms/use-server-form";
import { useChangeAutoTopup } from "@/lib/client/auto-topup";
import { majorOf, minorOf, moneyText } from "@/lib/client/money-text";
import { readPoints, shortPoints } from "@/lib/client/points-display";
import type { AutoTopupView } from "@/lib/contract/auto-topup";
import type { PackageView } from "@/lib/contract/payments";
import { amountPattern, formatPoints, parsePoints } from "@/lib/money/points";

interface AutoTopupDialogProps {
  onClose: () => void;
  terms: AutoTopupView["terms"];
  packages: readonly PackageView[];
}

/** `20.000000` → `20`, for an input field. */
const plain = (points: string) => points.replace(/(?<!0)0+$/, "").replace(/\.$/, "");
const MONTH_TIMES = 5;
/** At first, a package is bought when a fifth of its points is left. */
const firstThreshold = (points: string) => formatPoints(readPoints(points) / 5n);

/** What is bought when, and how much in a month. */
export function AutoTopupDialog({ onClose, terms, packages }: AutoTopupDialogProps) {
  const t = useTranslations("points.automatic");
  const locale = useLocale();
  const set = useChangeAutoTopup();
  const sold = (id: string) => packages.find((each) => each.id === id) ?? packages[0];
  const first = sold(terms?.packageId ?? "");
  const minor = (text: string, id: string) => minorOf(text, sold(id)?.currency ?? "");
  const form = useServerForm({
    start: {
      packageId: first?.id ?? "",
      threshold: plain(terms?.threshold ?? firstThreshold(first?.points ?? "0.000000")),
      monthMax: first ? majorOf(terms?.monthMax ?? first.amount * MONTH_TIMES, first.currency) : "",
    },
    problemsOf: ({ packageId, threshold, monthMax }) => {
      const { points = "0", amount = 0 } = sold(packageId) ?? {};
      const wanted = amountPattern.test(threshold) ? (parsePoints(threshold) ?? 0n) : 0n;
      return {
        threshold:
          wanted > 0n && wanted <= readPoints(points)
            ? undefined
            : t("thresholdProblem", { points: shortPoints(points) }),
        monthMax: (minor(monthMax, packageId) ?? 0) >= amount ? undefined : t("monthMaxProblem"),
      };
    },
    send: ({ packageId, threshold, monthMax }) =>
      set.mutateAsync({ packageId, threshold, monthMax: minor(monthMax, packageId) ?? 0 }),
    onDone: onClose,
    context: "purchase",
  });
  return (
    <FormDialog
      form={form}
      go={t("turnOn")}
      onClose={onClose}
      title={t("dialogTitle")}
      note={t("dialogNote")}
    >
      <SelectField label={t("package")} {...form.field("packageId")}>
        {packages.map(({ id, name, amount, currency }) => (
          <option key={id} value={id}>
            {name} · {moneyText(amount, currency, locale)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t("threshold")}
        hint={t("thresholdHint")}
        isNumber
        maxLength={20}
        {...form.field("threshold")}
      />
      <TextField
        label={t("monthMax")}
        hint={t("monthMaxHint")}
        isNumber
        maxLength={12}
        {...form.field("monthMax")}
      />
    </FormDialog>
  );
}

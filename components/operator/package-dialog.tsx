"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { majorOf, minorOf } from "@/lib/client/money-text";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { NAME_LENGTH_MAX, NOTE_LENGTH_MAX, POINTS_LENGTH_MAX } from "@/lib/contract/limits";
import { type OperatorPackageView, topupEndpoints } from "@/lib/contract/operator-topup";
import { shortDecimal } from "@/lib/points";
import { useOperatorForm } from "./use-operator-form";

/** Adds or changes a package. Open payments keep the terms they started with. */
export function PackageDialog({
  before,
  onClose,
}: {
  before: OperatorPackageView | null;
  onClose: () => void;
}) {
  const t = useTranslations("operator.packages");
  const create = useOperatorWrite(topupEndpoints.createPackage);
  const change = useOperatorWrite(topupEndpoints.changePackage);
  const [isEnabled, setIsEnabled] = useState(before?.isEnabled ?? true);
  const form = useOperatorForm({
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
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={before ? t("changeLabel", { name: before.name }) : t("add")}
      note={t("formNote")}
      go={before ? t("save") : t("add")}
    >
      <TextField label={t("name")} maxLength={NAME_LENGTH_MAX} {...form.field("name")} />
      <TextField
        label={t("words")}
        hint={t("wordsHint")}
        maxLength={NOTE_LENGTH_MAX}
        {...form.field("note")}
      />
      <TextField
        label={t("points")}
        isNumber
        maxLength={POINTS_LENGTH_MAX}
        {...form.field("points")}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField label={t("price")} isNumber maxLength={12} {...form.field("amount")} />
        <TextField
          label={t("currency")}
          hint={t("currencyHint")}
          maxLength={3}
          {...form.field("currency")}
        />
      </div>
      <TextField
        label={t("position")}
        hint={t("positionHint")}
        isNumber
        maxLength={6}
        {...form.field("position")}
      />
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          checked={isEnabled}
          onChange={(event) => setIsEnabled(event.target.checked)}
        />
        {t("isSold")}
      </label>
    </FormDialog>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { majorOf, minorOf } from "@/lib/client/money-text";
import { useOperatorWrite } from "@/lib/client/operator-write";
import { NAME_LENGTH_MAX, NOTE_LENGTH_MAX, POINTS_LENGTH_MAX } from "@/lib/contract/limits";
import { type OperatorPackageView, packageResponse } from "@/lib/contract/operator-topup";
import { shortDecimal } from "@/lib/points";
import { ChangeDialog, TextField, useFields } from "./change-dialog";

/** Adds a package or changes one; payments that are open keep its earlier terms. */
export function PackageDialog({ before, onClose }: { before: OperatorPackageView | null; onClose: () => void }) {
  const t = useTranslations("operator.packages");
  const write = useOperatorWrite(`/api/admin/packages${before ? `/${encodeURIComponent(before.id)}` : ""}`, packageResponse);
  const [isEnabled, setIsEnabled] = useState(before?.isEnabled ?? true);
  const [isPriceWrong, setIsPriceWrong] = useState(false);
  const { values, set, check, missing } = useFields({
    name: before?.name ?? "",
    note: before?.note ?? "",
    points: before ? shortDecimal(before.points) : "",
    price: before ? majorOf(before.amount, before.currency) : "",
    currency: before?.currency.toUpperCase() ?? "",
    position: String(before?.position ?? 0),
  });
  const submit = () => {
    if (!check("name", "points", "price", "currency")) return;
    const currency = values.currency.trim().toLowerCase();
    const amount = minorOf(values.price, currency);
    setIsPriceWrong(amount === null);
    if (amount === null) return;
    const body = {
      name: values.name.trim(),
      note: values.note.trim() || null,
      points: values.points.trim(),
      amount,
      currency,
      isEnabled,
      position: Number(values.position) || 0,
    };
    write.mutate(body, { onSuccess: onClose });
  };
  return (
    <ChangeDialog
      isOpen
      onClose={onClose}
      title={before ? t("changeLabel", { name: before.name }) : t("add")}
      note={t("formNote")}
      go={before ? t("save") : t("add")}
      write={write}
      onSubmit={submit}
    >
      <TextField
        label={t("name")}
        value={values.name}
        onChange={set("name")}
        maxLength={NAME_LENGTH_MAX}
        error={missing("name", t("nameMissing"))}
      />
      <TextField label={t("words")} hint={t("wordsHint")} value={values.note} onChange={set("note")} maxLength={NOTE_LENGTH_MAX} />
      <TextField
        label={t("points")}
        isNumber
        value={values.points}
        onChange={set("points")}
        maxLength={POINTS_LENGTH_MAX}
        error={missing("points", t("pointsMissing"))}
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label={t("price")}
          isNumber
          value={values.price}
          onChange={set("price")}
          maxLength={12}
          error={isPriceWrong ? t("priceWrong") : missing("price", t("priceWrong"))}
        />
        <TextField
          label={t("currency")}
          hint={t("currencyHint")}
          value={values.currency}
          onChange={set("currency")}
          maxLength={3}
          error={missing("currency", t("currencyHint"))}
        />
      </div>
      <TextField label={t("position")} hint={t("positionHint")} isNumber value={values.position} onChange={set("position")} maxLength={6} />
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" className="size-4 accent-ink" checked={isEnabled} onChange={(event) => setIsEnabled(event.target.checked)} />
        {t("isSold")}
      </label>
    </ChangeDialog>
  );
}

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField, TextField } from "@/components/forms/text-field";
import { NAME_LENGTH_MAX, NOTE_LENGTH_MAX } from "@/lib/contract/limits";
import type { OperatorPackageView } from "@/lib/contract/operator-topup";
import { usePackageForm } from "./use-package-form";

interface PackageDialogProps {
  before: OperatorPackageView | null;
  onClose: () => void;
}

/** Adds or changes a package. Open payments keep the terms they started with. */
export function PackageDialog({ before, onClose }: PackageDialogProps) {
  const t = useTranslations("operator.packages");
  const [isEnabled, setIsEnabled] = useState(before?.isEnabled ?? true);
  const form = usePackageForm(before, isEnabled, onClose);
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
      <PointsField label={t("points")} {...form.field("points")} />
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

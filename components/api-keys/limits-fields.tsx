import { useTranslations } from "next-intl";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { HeldLimitsFields } from "./held-limits-fields";
import { expiryChoices } from "./limits-form";
import { ModelChoice } from "./model-choice";
import type { LimitsForm } from "./use-limits-form";

/** The fields of a key's limits: rate, budget, models, expiry. */
export function LimitsFields({ form }: { form: LimitsForm }) {
  const t = useTranslations("keys");
  const { expiry, models, isModelChoiceOpen } = form.watch();
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t("requestsPerMinute")}
          isNumber
          inputMode="numeric"
          {...form.field("requestsPerMinute")}
        />
        <TextField
          label={t("budget")}
          isNumber
          placeholder={t("noLimit")}
          {...form.field("budget")}
        />
      </div>
      <p className="-mt-2 text-muted text-sm">{t("budgetNote")}</p>
      <HeldLimitsFields form={form} />
      <TextField
        label={t("hourlySpendMax")}
        hint={t("hourlySpendNote")}
        isNumber
        placeholder={t("neverPaused")}
        {...form.field("hourlySpendMax")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={t("expires")} {...form.field("expiry")}>
          <Options of={expiryChoices} name={(choice) => t(`expiry.${choice}`)} />
        </SelectField>
        {expiry === "date" ? (
          <TextField label={t("lastDay")} type="date" {...form.field("expiryDate")} />
        ) : null}
      </div>
      <TextField
        label={t("allowedAddresses")}
        hint={t("allowedAddressesNote")}
        placeholder={t("anyAddress")}
        spellCheck={false}
        {...form.field("allowedAddresses")}
      />
      <ModelChoice
        isOpen={isModelChoiceOpen}
        onOpen={(isOpen) => form.change({ isModelChoiceOpen: isOpen })}
        models={models}
        onChange={(chosen) => form.change({ models: chosen })}
        error={form.errorOf("models")}
      />
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Input, Select } from "@/components/ui/input";
import { expiryChoices, type LimitsInput, type LimitsProblem } from "./limits-form";
import { ModelChoice } from "./model-choice";

interface LimitsFieldsProps {
  input: LimitsInput;
  problems: readonly LimitsProblem[];
  isModelChoiceOpen: boolean;
  onModelChoiceOpen: (isOpen: boolean) => void;
  onChange: (change: Partial<LimitsInput>) => void;
}

/** The limits of a key: how often, how much, which models, how long. */
export function LimitsFields({ input, problems, isModelChoiceOpen, onModelChoiceOpen, onChange }: LimitsFieldsProps) {
  const t = useTranslations("keys");
  const errorOf = (field: LimitsProblem["field"]) => {
    const found = problems.find((each) => each.field === field);
    return found && t(`problems.${found.problem}`);
  };
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("requestsPerMinute")} error={errorOf("requestsPerMinute")}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              className="num"
              value={input.requestsPerMinute}
              onChange={(event) => onChange({ requestsPerMinute: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("budget")} error={errorOf("budget")}>
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              className="num"
              placeholder={t("noLimit")}
              value={input.budget}
              onChange={(event) => onChange({ budget: event.target.value })}
            />
          )}
        </Field>
      </div>
      <p className="-mt-2 text-muted text-sm">{t("budgetNote")}</p>
      <Field label={t("hourlySpendMax")} hint={t("hourlySpendNote")} error={errorOf("hourlySpendMax")}>
        {(control) => (
          <Input
            {...control}
            inputMode="decimal"
            className="num"
            placeholder={t("neverPaused")}
            value={input.hourlySpendMax}
            onChange={(event) => onChange({ hourlySpendMax: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("expires")}>
          {(control) => (
            <Select
              {...control}
              value={input.expiry}
              onChange={(event) => onChange({ expiry: expiryChoices.find((choice) => choice === event.target.value) ?? "never" })}
            >
              {expiryChoices.map((choice) => (
                <option key={choice} value={choice}>
                  {t(`expiry.${choice}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {input.expiry === "date" ? (
          <Field label={t("lastDay")} error={errorOf("expiryDate")}>
            {(control) => (
              <Input {...control} type="date" value={input.expiryDate} onChange={(event) => onChange({ expiryDate: event.target.value })} />
            )}
          </Field>
        ) : null}
      </div>
      <ModelChoice
        isOpen={isModelChoiceOpen}
        onOpen={onModelChoiceOpen}
        models={input.models}
        onChange={(models) => onChange({ models })}
        error={errorOf("models")}
      />
    </div>
  );
}

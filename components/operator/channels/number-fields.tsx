"use client";

import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type ChannelInput, type ChannelProblem, numberFields } from "./channel-form";

interface NumberFieldsProps {
  input: ChannelInput;
  onChange: (change: Partial<ChannelInput>) => void;
  errorOf: (field: ChannelProblem) => string | undefined;
}

/** How much of a channel is used, when it is tried, and how long it may take. */
export function NumberFields({ input, onChange, errorOf }: NumberFieldsProps) {
  const t = useTranslations("operator.channels");
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {numberFields.map((field) => (
        <Field key={field} label={t(field)} hint={t(`hints.${field}`)} error={errorOf(field)}>
          {(control) => (
            <Input
              {...control}
              className="num"
              inputMode="numeric"
              placeholder={field === "timeoutSeconds" ? t("ownTimeout") : undefined}
              value={input[field]}
              onChange={(event) => onChange({ [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

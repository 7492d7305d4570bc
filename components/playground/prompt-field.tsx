"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";
import { PROMPT_LENGTH_MAX } from "@/lib/contract/limits";

export function PromptField({
  value,
  onChange,
}: {
  value: string;
  onChange: (text: string) => void;
}) {
  const t = useTranslations("studio");
  const format = useFormatter();
  return (
    <Field
      label={t("prompt")}
      aside={
        <span className="num">
          {t("characters", { count: value.length, max: format.number(PROMPT_LENGTH_MAX) })}
        </span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          rows={4}
          maxLength={PROMPT_LENGTH_MAX}
          className={`${controlStyle} field-sizing-content max-h-72 min-h-26 px-3 py-2`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

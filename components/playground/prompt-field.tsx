import { useFormatter, useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";
import { PROMPT_LENGTH_MAX } from "@/lib/contract/limits";

interface PromptFieldProps {
  value: string;
  onChange: (text: string) => void;
}

export function PromptField({ value, onChange }: PromptFieldProps) {
  const t = useTranslations("studio");
  const format = useFormatter();
  return (
    <Field
      label={<span className="max-lg:sr-only">{t("prompt")}</span>}
      aside={
        <span className="num max-lg:hidden">
          {t("characters", { count: value.length, max: format.number(PROMPT_LENGTH_MAX) })}
        </span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          rows={2}
          placeholder={t("promptPlaceholder")}
          maxLength={PROMPT_LENGTH_MAX}
          className={`${controlStyle} field-sizing-content max-h-24 min-h-14 px-3 py-2 lg:max-h-72 lg:min-h-26`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

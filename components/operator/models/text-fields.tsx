import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { CheckField } from "./check-field";
import type { ModelForm } from "./use-model-form";

export function TextFields({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  const { tools, reasoning } = form.watch();
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField label={t("outputTokens")} isNumber {...form.field("outputTokens")} />
        <TextField
          label={t("contextTokens")}
          hint={t("optional")}
          isNumber
          {...form.field("contextTokens")}
        />
        <TextField
          label={t("imageTokens")}
          hint={t("imageTokensHint")}
          isNumber
          {...form.field("imageTokens")}
        />
      </div>
      <CheckField
        label={t("tools")}
        isChecked={tools}
        onChange={(isChecked) => form.change({ tools: isChecked })}
      />
      <CheckField
        label={t("reasoning")}
        isChecked={reasoning}
        onChange={(isChecked) => form.change({ reasoning: isChecked })}
      />
    </>
  );
}

import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { LinesField } from "./lines-field";
import type { ModelForm } from "./use-model-form";

function Bounds({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField label={t("sideMin")} isNumber {...form.field("sideMin")} />
        <TextField label={t("sideMax")} isNumber {...form.field("sideMax")} />
        <TextField
          label={t("pixelsMax")}
          hint={t("optional")}
          isNumber
          {...form.field("pixelsMax")}
        />
      </div>
      <TextField label={t("sizeDefault")} {...form.field("sizeDefault")} />
      <LinesField
        label={t("ratioSizes")}
        hint={t("ratioSizesHint")}
        rows={3}
        {...form.field("ratioSizes")}
      />
    </>
  );
}

export function ImageFields({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  const { sizes } = form.watch();
  return (
    <>
      <fieldset className="grid gap-2.5">
        <legend className="mb-1.5 font-medium text-sm">{t("sizes")}</legend>
        <Segmented
          label={t("sizes")}
          value={sizes}
          options={[
            { value: "between", label: t("sizesBetween") },
            { value: "listed", label: t("sizesListed") },
          ]}
          onChange={(value) => form.change({ sizes: value })}
        />
        {sizes === "listed" ? (
          <>
            <TextField
              label={t("sizesOnly")}
              hint={t("firstIsDefault", { example: "1024x1024, 1536x1024" })}
              {...form.field("sizesListed")}
            />
            <FieldError
              id="sizes-error"
              text={form.errorOf("ratioSizes") ?? form.errorOf("sizeDefault")}
            />
          </>
        ) : (
          <Bounds form={form} />
        )}
      </fieldset>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label={t("qualities")} hint={t("qualitiesHint")} {...form.field("qualities")} />
        <TextField label={t("references")} isNumber {...form.field("references")} />
      </div>
    </>
  );
}

import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { CheckField } from "./check-field";
import type { ModelForm } from "./use-model-form";

function Lengths({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  const { lengths } = form.watch();
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-medium text-sm">{t("lengths")}</legend>
      <Segmented
        label={t("lengths")}
        value={lengths}
        options={[
          { value: "between", label: t("lengthsBetween") },
          { value: "listed", label: t("lengthsListed") },
        ]}
        onChange={(value) => form.change({ lengths: value })}
      />
      {lengths === "listed" ? (
        <TextField
          label={t("seconds")}
          hint={t("firstIsDefault", { example: "8, 4, 12" })}
          {...form.field("secondsListed")}
        />
      ) : (
        <>
          <div className="grid grid-cols-3 items-start gap-4">
            <TextField label={t("secondsMin")} isNumber {...form.field("secondsMin")} />
            <TextField label={t("secondsMax")} isNumber {...form.field("secondsMax")} />
            <TextField label={t("secondsDefault")} isNumber {...form.field("secondsDefault")} />
          </div>
          <FieldError id="lengths-error" text={form.errorOf("secondsListed")} />
        </>
      )}
    </fieldset>
  );
}

export function VideoFields({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  const { audio, lastFrame } = form.watch();
  return (
    <>
      <Lengths form={form} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t("resolutions")}
          hint={t("firstIsDefault", { example: "720p, 1080p" })}
          {...form.field("resolutions")}
        />
        <TextField
          label={t("ratios")}
          hint={t("firstIsDefault", { example: "16:9, 9:16" })}
          {...form.field("ratios")}
        />
      </div>
      <TextField label={t("references")} isNumber {...form.field("references")} />
      <CheckField
        label={t("audio")}
        isChecked={audio}
        onChange={(isChecked) => form.change({ audio: isChecked })}
      />
      <CheckField
        label={t("lastFrame")}
        isChecked={lastFrame}
        onChange={(isChecked) => form.change({ lastFrame: isChecked })}
      />
    </>
  );
}

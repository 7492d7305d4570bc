import { useTranslations } from "next-intl";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Options } from "@/components/ui/input";
import { INCIDENT_TEXT_MAX } from "@/lib/contract/limits";
import { incidentStates } from "@/lib/contract/states";
import type { useUpdateForm } from "./incident-form";

type Input = Omit<ReturnType<ReturnType<typeof useUpdateForm>["field"]>, "name">;

interface UpdateFieldsProps {
  field: (name: "state" | "textEn" | "textZh") => Input;
}

/** How an incident stands, and what is said about it. */
export function UpdateFields({ field }: UpdateFieldsProps) {
  const t = useTranslations("operator.incidents");
  const states = useTranslations("operator.audit.values");
  return (
    <>
      <SelectField label={t("state")} {...field("state")}>
        <Options of={incidentStates} name={(state) => states(state)} />
      </SelectField>
      <TextField label={t("textEn")} lang="en" maxLength={INCIDENT_TEXT_MAX} {...field("textEn")} />
      <TextField
        label={t("textZh")}
        lang="zh-CN"
        maxLength={INCIDENT_TEXT_MAX}
        {...field("textZh")}
      />
    </>
  );
}

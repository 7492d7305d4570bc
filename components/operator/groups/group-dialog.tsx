import { useTranslations } from "next-intl";
import { useId } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { GROUP_NAME_MAX, MULTIPLIER_LENGTH_MAX } from "@/lib/contract/limits";
import type { GroupView } from "@/lib/contract/operator-groups";
import { GroupModels } from "./group-models";
import { useGroupForm } from "./use-group-form";

interface GroupDialogProps {
  before: GroupView | null;
  onClose: () => void;
}

export function GroupDialog({ before, onClose }: GroupDialogProps) {
  const t = useTranslations("operator.groups");
  const errorId = useId();
  const { form, seen, setSeen, multipliers, setMultiplier } = useGroupForm(before, onClose);
  const error = form.errorOf("models");
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={before ? t("changeLabel", { name: before.name }) : t("add")}
      note={t("formNote")}
      go={before ? t("save") : t("add")}
      className="sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <TextField label={t("name")} maxLength={GROUP_NAME_MAX} {...form.field("name")} />
      <TextField
        label={t("multiplier")}
        hint={t("multiplierHint")}
        isNumber
        maxLength={MULTIPLIER_LENGTH_MAX}
        {...form.field("multiplier")}
      />
      <fieldset className="grid gap-2" aria-describedby={error && errorId}>
        <legend className="mb-1.5 font-medium text-sm">{t("models")}</legend>
        <Segmented
          label={t("models")}
          value={seen === null ? "all" : "some"}
          options={[
            { value: "all", label: t("allModels") },
            { value: "some", label: t("someModels") },
          ]}
          onChange={(value) => setSeen(value === "all" ? null : [])}
        />
        <p className="text-muted text-sm">{t("modelsHint")}</p>
        <GroupModels
          seen={seen}
          multipliers={multipliers}
          onSeen={setSeen}
          onMultiplier={setMultiplier}
        />
        <FieldError id={errorId} text={error} />
      </fieldset>
    </FormDialog>
  );
}

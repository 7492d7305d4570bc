import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { MomentField } from "@/components/forms/moment-field";
import { TextField } from "@/components/forms/text-field";
import { closing } from "@/components/ui/toast";
import { useOpenIncident } from "@/lib/client/operator-incidents";
import { INCIDENT_TITLE_MAX } from "@/lib/contract/limits";
import { useOperatorForm } from "../use-operator-form";
import { ConcernedModels } from "./concerned-models";
import { textOrNull, updateOf } from "./incident-form";
import { UpdateFields } from "./update-fields";

const start = {
  titleEn: "",
  titleZh: "",
  beganAt: "",
  state: "investigating",
  textEn: "",
  textZh: "",
};

export function OpenIncidentDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.incidents");
  const [models, setModels] = useState<string[]>([]);
  const open = useOpenIncident();
  const form = useOperatorForm({
    start,
    problemsOf: ({ titleEn, titleZh, textEn, textZh, beganAt }) => ({
      titleEn: (titleEn + titleZh).trim() === "" ? t("titleProblem") : undefined,
      textEn: (textEn + textZh).trim() === "" ? t("textProblem") : undefined,
      beganAt:
        beganAt !== "" && new Date(beganAt).getTime() > Date.now() ? t("beganProblem") : undefined,
    }),
    send: ({ titleEn, titleZh, beganAt, ...update }) =>
      open.mutateAsync({
        titleEn: textOrNull(titleEn),
        titleZh: textOrNull(titleZh),
        beganAt: beganAt === "" ? null : new Date(beganAt).toISOString(),
        models,
        ...updateOf(update),
      }),
    onDone: closing(onClose, t("opened")),
  });
  return (
    <FormDialog
      form={form}
      title={t("open")}
      note={t("openNote")}
      go={t("go")}
      onClose={onClose}
      className="sm:w-[min(40rem,calc(100vw-2rem))]"
    >
      <TextField
        label={t("titleEn")}
        lang="en"
        maxLength={INCIDENT_TITLE_MAX}
        {...form.field("titleEn")}
      />
      <TextField
        label={t("titleZh")}
        lang="zh-CN"
        maxLength={INCIDENT_TITLE_MAX}
        {...form.field("titleZh")}
      />
      <UpdateFields field={form.field} />
      <MomentField label={t("began")} note={t("beganHint")} {...form.field("beganAt")} />
      <ConcernedModels models={models} onChange={setModels} />
    </FormDialog>
  );
}

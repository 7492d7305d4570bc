import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { MomentField } from "@/components/forms/moment-field";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Segmented } from "@/components/ui/segmented";
import { closing } from "@/components/ui/toast";
import { usePostNotice } from "@/lib/client/operator-settings";
import { NOTICE_LENGTH_MAX } from "@/lib/contract/limits";
import { noticeLevels } from "@/lib/contract/states";
import { useOperatorForm } from "../use-operator-form";

/** Whether a notice ends after it starts. Without a start it starts now. */
function isAfterStart(end: string, start: string): boolean {
  const begins = start === "" ? Date.now() : new Date(start).getTime();
  return new Date(end).getTime() > Math.max(begins, Date.now());
}

const momentOf = (local: string) => (local === "" ? null : new Date(local).toISOString());

export function NoticeDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.settings.notices");
  const [level, setLevel] = useState<(typeof noticeLevels)[number]>("info");
  const post = usePostNotice();
  const form = useOperatorForm({
    start: { textEn: "", textZh: "", startsAt: "", endsAt: "" },
    problemsOf: ({ textEn, textZh, startsAt, endsAt }) => ({
      textEn: ifEmpty(textEn, t("textProblem")),
      textZh: ifEmpty(textZh, t("textProblem")),
      endsAt: endsAt !== "" && !isAfterStart(endsAt, startsAt) ? t("toProblem") : undefined,
    }),
    send: ({ textEn, textZh, startsAt, endsAt }) =>
      post.mutateAsync({
        level,
        textEn: textEn.trim(),
        textZh: textZh.trim(),
        startsAt: momentOf(startsAt),
        endsAt: momentOf(endsAt),
      }),
    onDone: closing(onClose, t("posted")),
  });
  return (
    <FormDialog
      form={form}
      go={t("go")}
      onClose={onClose}
      title={t("post")}
      note={t("postNote")}
      className="sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <Segmented
        label={t("level")}
        value={level}
        options={noticeLevels.map((value) => ({ value, label: t(`levels.${value}`) }))}
        onChange={setLevel}
      />
      <TextField
        label={t("textEn")}
        lang="en"
        maxLength={NOTICE_LENGTH_MAX}
        {...form.field("textEn")}
      />
      <TextField
        label={t("textZh")}
        lang="zh-CN"
        maxLength={NOTICE_LENGTH_MAX}
        {...form.field("textZh")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <MomentField label={t("from")} note={t("fromHint")} {...form.field("startsAt")} />
        <MomentField label={t("to")} note={t("toHint")} {...form.field("endsAt")} />
      </div>
    </FormDialog>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { showToast } from "@/components/ui/toast";
import { usePostNotice } from "@/lib/client/operator-settings";
import { NOTICE_LENGTH_MAX } from "@/lib/contract/limits";
import { noticeLevels } from "@/lib/contract/states";
import { useOperatorFailureText } from "../operator-failure";

export function NoticeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("operator.settings.notices");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={t("post")}
      description={t("postNote")}
      className="sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <NoticeForm onClose={onClose} />
    </Dialog>
  );
}

const momentOf = (local: string) => (local === "" ? null : new Date(local).toISOString());

function NoticeForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.settings.notices");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const [input, setInput] = useState({ level: "info" as (typeof noticeLevels)[number], textEn: "", textZh: "", from: "", to: "" });
  const [isChecked, setIsChecked] = useState(false);
  const post = usePostNotice();
  const change = (part: Partial<typeof input>) => setInput((before) => ({ ...before, ...part }));
  const begins = input.from === "" ? Date.now() : new Date(input.from).getTime();
  const problems = {
    textEn: input.textEn.trim() === "",
    textZh: input.textZh.trim() === "",
    to: input.to !== "" && new Date(input.to).getTime() <= Math.max(begins, Date.now()),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (problems.textEn || problems.textZh || problems.to) return;
    const { level, textEn, textZh } = input;
    post.mutate(
      { level, textEn: textEn.trim(), textZh: textZh.trim(), startsAt: momentOf(input.from), endsAt: momentOf(input.to) },
      {
        onSuccess: () => {
          showToast(t("posted"));
          onClose();
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Segmented
        label={t("level")}
        value={input.level}
        options={noticeLevels.map((level) => ({ value: level, label: t(`levels.${level}`) }))}
        onChange={(level) => change({ level })}
      />
      {(["textEn", "textZh"] as const).map((field) => (
        <Field key={field} label={t(field)} error={isChecked && problems[field] ? t("textProblem") : undefined}>
          {(control) => (
            <Input
              {...control}
              lang={field === "textEn" ? "en" : "zh-CN"}
              maxLength={NOTICE_LENGTH_MAX}
              value={input[field]}
              onChange={(event) => change({ [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("from")} hint={t("fromHint")}>
          {(control) => (
            <Input {...control} type="datetime-local" value={input.from} onChange={(event) => change({ from: event.target.value })} />
          )}
        </Field>
        <Field label={t("to")} hint={t("toHint")} error={isChecked && problems.to ? t("toProblem") : undefined}>
          {(control) => (
            <Input {...control} type="datetime-local" value={input.to} onChange={(event) => change({ to: event.target.value })} />
          )}
        </Field>
      </div>
      {post.error ? <Notice tone="bad">{failureText(post.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={post.isPending}>
          {t("go")}
        </Button>
      </DialogActions>
    </form>
  );
}

"use client";

import { ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useSaveChannel } from "@/lib/client/operator-channels";
import { RequestError } from "@/lib/client/request";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { useOperatorFailureText } from "../operator-failure";
import { ChannelFields } from "./channel-fields";
import {
  type ChannelInput,
  type ChannelProblem,
  changeBody,
  createBody,
  emptyChannel,
  fieldOf,
  inputOf,
  numberFields,
  problemsOf,
} from "./channel-form";
import { ChatTermsFields } from "./chat-terms-fields";
import { NumberFields } from "./number-fields";

interface ChannelDialogProps {
  /** Null: a new one. */
  channel: ChannelView | null;
  isOpen: boolean;
  onClose: () => void;
}

export function ChannelDialog({ channel, isOpen, onClose }: ChannelDialogProps) {
  const t = useTranslations("operator.channels");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={channel ? t("editTitle", { name: channel.name }) : t("addTitle")}
      description={channel ? t("editNote") : t("addNote")}
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      <ChannelForm channel={channel} onClose={onClose} />
    </Dialog>
  );
}

function ChannelForm({ channel, onClose }: Omit<ChannelDialogProps, "isOpen">) {
  const t = useTranslations("operator.channels");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const form = useRef<HTMLFormElement>(null);
  const [input, setInput] = useState<ChannelInput>(channel ? inputOf(channel) : emptyChannel);
  const [problems, setProblems] = useState<readonly ChannelProblem[]>([]);
  const save = useSaveChannel();
  const failedField = save.error instanceof RequestError ? fieldOf(save.error.param) : null;
  const change = (part: Partial<ChannelInput>) => {
    setInput((before) => ({ ...before, ...part }));
    setProblems((before) => before.filter((problem) => !(problem in part)));
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(input);
    setProblems(found);
    if (found.length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return;
    }
    save.mutate(channel ? { id: channel.id, body: changeBody(input) } : { id: null, body: createBody(input) }, {
      onSuccess: () => {
        showToast(t(channel ? "saved" : "added", { name: input.name.trim() }));
        onClose();
      },
    });
  };
  const errorOf = (field: ChannelProblem) => {
    if (problems.includes(field)) return t(`problems.${field}`);
    return failedField === field && save.error ? failureText(save.error) : undefined;
  };
  const isShownAtField =
    failedField !== null && ["name", "baseUrl", "apiKey", "models", "allowedFields", ...numberFields].includes(failedField);
  const hasNumberProblem = ([...numberFields, "allowedFields"] as const).some((field) => errorOf(field) !== undefined);
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      <ChannelFields channel={channel} input={input} onChange={change} errorOf={errorOf} />
      <details className="group rounded-md border px-4 open:pb-4" open={hasNumberProblem || undefined}>
        <summary className="flex list-none items-center gap-2 rounded-sm py-3 text-sm [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open:rotate-90" />
          <span className="font-medium">{t("limits")}</span>
          <span className="truncate text-muted group-open:hidden">
            {t("limitsNow", {
              perSecond: input.requestsPerSecond,
              perMinute: input.requestsPerMinute,
              priority: input.priority,
              weight: input.weight,
            })}
          </span>
        </summary>
        <NumberFields input={input} onChange={change} errorOf={errorOf} />
        <ChatTermsFields input={input} onChange={change} errorOf={errorOf} />
      </details>
      {save.error && !isShownAtField ? <Notice tone="bad">{failureText(save.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={save.isPending}>
          {channel ? ui("save") : t("add")}
        </Button>
      </DialogActions>
    </form>
  );
}

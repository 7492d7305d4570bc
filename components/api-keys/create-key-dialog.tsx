"use client";

import { ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { useCreateKey, useKeys } from "@/lib/client/api-keys";
import { KeyReveal } from "./key-reveal";
import { LimitsFields } from "./limits-fields";
import { limitsBody, startingLimits } from "./limits-form";
import { useLimitsForm } from "./use-limits-form";

interface CreateKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  baseUrl: string;
}

/** Name and limits; then, in the same dialog, the key: once. */
export function CreateKeyDialog({ isOpen, onClose, baseUrl }: CreateKeyDialogProps) {
  const t = useTranslations("keys");
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : close())}
      title={secret ? t("reveal.title") : t("createTitle")}
      description={secret ? t("reveal.note") : t("createNote")}
      isDismissible={secret === null}
      className={secret ? "sm:w-[min(42rem,calc(100vw-2rem))]" : ""}
    >
      {secret ? <KeyReveal secret={secret} baseUrl={baseUrl} onSaved={close} /> : <CreateKeyForm onCreated={setSecret} onCancel={close} />}
    </Dialog>
  );
}

function CreateKeyForm({ onCreated, onCancel }: { onCreated: (secret: string) => void; onCancel: () => void }) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const create = useCreateKey();
  const starting = startingLimits(useKeys().data?.defaults);
  const { form, fields, submit } = useLimitsForm(starting, (input) =>
    create.mutate(limitsBody(input, Date.now()), { onSuccess: (made) => onCreated(made.secret) }),
  );
  const nameProblem = fields.problems.find(({ field }) => field === "name");
  const hasHiddenProblem = fields.problems.some(({ field }) => field !== "name");
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t("name")} hint={t("nameHint")} error={nameProblem && t("problems.name")}>
        {(control) => (
          <Input
            {...control}
            value={fields.input.name}
            maxLength={80}
            autoComplete="off"
            onChange={(event) => fields.onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <details className="group rounded-md border px-4 open:pb-4" open={hasHiddenProblem || undefined}>
        <summary className="flex list-none items-center gap-2 rounded-sm py-3 text-sm [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open:rotate-90" />
          <span className="font-medium">{t("limits")}</span>
          <span className="truncate text-muted group-open:hidden">
            {t("limitsDefault", { requests: starting.requestsPerMinute, budget: starting.budget || "none" })}
          </span>
        </summary>
        <LimitsFields {...fields} />
      </details>
      {create.error ? <Notice tone="bad">{failureText(create.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onCancel}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={create.isPending}>
          {t("create")}
        </Button>
      </DialogActions>
    </form>
  );
}

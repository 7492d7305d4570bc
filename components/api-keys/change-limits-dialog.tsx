"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useChangeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/site";
import { LimitsFields } from "./limits-fields";
import { limitsBody, limitsOf } from "./limits-form";
import { useLimitsForm } from "./use-limits-form";

interface ChangeLimitsDialogProps {
  apiKey: ApiKeyView;
  isOpen: boolean;
  onClose: () => void;
}

export function ChangeLimitsDialog({ apiKey, isOpen, onClose }: ChangeLimitsDialogProps) {
  const t = useTranslations("keys");
  return (
    <Dialog isOpen={isOpen} onOpenChange={(next) => (next ? undefined : onClose())} title={t("changeTitle")} description={t("changeNote")}>
      <ChangeLimitsForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

function ChangeLimitsForm({ apiKey, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const change = useChangeKey(apiKey.id);
  const { form, fields, submit } = useLimitsForm(limitsOf(apiKey), (input) => {
    const body = limitsBody(input, Date.now());
    // The date field knows days only: an expiry nobody touched keeps its hour.
    const isExpiryKept = input.expiry === "date" && input.expiryDate === limitsOf(apiKey).expiryDate;
    change.mutate(isExpiryKept ? { ...body, expiresAt: apiKey.expiresAt } : body, {
      onSuccess: () => {
        onClose();
        showToast(t("changed", { name: body.name }));
      },
    });
  });
  const nameProblem = fields.problems.find(({ field }) => field === "name");
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
      <Field label={t("name")} error={nameProblem && t("problems.name")}>
        {(control) => (
          <Input
            {...control}
            value={fields.input.name}
            maxLength={80}
            onChange={(event) => fields.onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <LimitsFields {...fields} />
      {change.error ? <Notice tone="bad">{failureText(change.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="go" isBusy={change.isPending}>
          {ui("save")}
        </Button>
      </DialogActions>
    </form>
  );
}

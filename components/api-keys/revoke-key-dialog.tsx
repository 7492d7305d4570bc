"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/site";

interface RevokeKeyDialogProps {
  apiKey: ApiKeyView;
  isOpen: boolean;
  onClose: () => void;
}

export function RevokeKeyDialog({ apiKey, isOpen, onClose }: RevokeKeyDialogProps) {
  const t = useTranslations("keys");
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={t("revokeTitle")}
      description={t("revokeNote", { hint: apiKey.hint })}
    >
      <RevokeKeyForm apiKey={apiKey} onClose={onClose} />
    </Dialog>
  );
}

function RevokeKeyForm({ apiKey, onClose }: { apiKey: ApiKeyView; onClose: () => void }) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const revoke = useRevokeKey();
  const [typed, setTyped] = useState("");
  const isSure = typed.trim() === apiKey.name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSure) return;
    onClose();
    revoke.mutate(apiKey.id, {
      onError: (error) => showToast(failureText(error), "bad"),
      onSuccess: () => showToast(t("revoked", { name: apiKey.name })),
    });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Field label={t.rich("typeName", { name: () => <b className="wrap-anywhere">{apiKey.name}</b> })}>
        {(control) => (
          <Input {...control} value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{ui("cancel")}</Button>
        <Button type="submit" look="danger" disabled={!isSure}>
          {t("revoke")}
        </Button>
      </DialogActions>
    </form>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useFailureText } from "@/components/shell/failure-text";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useCreateKey, useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/site";
import { KeyReveal } from "./key-reveal";
import { limitsBody, limitsOf } from "./limits-form";

interface ReplaceKeyDialogProps {
  apiKey: ApiKeyView;
  isOpen: boolean;
  onClose: () => void;
  baseUrl: string;
}

/** A new key with the same name and limits; the old one works on until it is revoked, then or later. */
export function ReplaceKeyDialog({ apiKey, isOpen, onClose, baseUrl }: ReplaceKeyDialogProps) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const create = useCreateKey();
  const revoke = useRevokeKey();
  const [secret, setSecret] = useState<string | null>(null);
  const [isOldRevoked, setIsOldRevoked] = useState(false);
  const close = () => {
    setSecret(null);
    create.reset();
    onClose();
  };
  const save = () => {
    close();
    if (isOldRevoked) revoke.mutate(apiKey.id, { onError: (error) => showToast(failureText(error), "bad") });
  };
  const replace = () => {
    const body = { ...limitsBody(limitsOf(apiKey), Date.now()), expiresAt: apiKey.expiresAt };
    create.mutate(body, { onSuccess: (made) => setSecret(made.secret) });
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : close())}
      title={secret ? t("reveal.title") : t("replaceTitle")}
      description={secret ? t("reveal.note") : t("replaceNote", { hint: apiKey.hint })}
      isDismissible={secret === null}
      className={secret ? "sm:w-[min(42rem,calc(100vw-2rem))]" : ""}
    >
      {secret ? (
        <KeyReveal secret={secret} baseUrl={baseUrl} onSaved={save} />
      ) : (
        <>
          <label className="flex items-start gap-2.5 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-(--ink)"
              checked={isOldRevoked}
              onChange={(event) => setIsOldRevoked(event.target.checked)}
            />
            {t("replaceRevokes")}
          </label>
          {create.error ? (
            <div className="mt-4">
              <Notice tone="bad">{failureText(create.error)}</Notice>
            </div>
          ) : null}
          <DialogActions>
            <Button onClick={close}>{ui("cancel")}</Button>
            <Button look="go" isBusy={create.isPending} onClick={replace}>
              {t("replaceDo")}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useFailureText } from "@/components/ui/failure-text";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useChangeKey, useCreateKey, useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/site";
import { KeyReveal } from "./key-reveal";
import { limitsBody, limitsOf } from "./limits-form";

/** How long the old key goes on beside the new one, where its end is set. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

type OldKey = "keeps" | "ends" | "revoked";
const oldKeys = [
  { value: "keeps", text: "oldKeeps" },
  { value: "ends", text: "oldEnds" },
  { value: "revoked", text: "replaceRevokes" },
] as const;

interface ReplaceKeyDialogProps {
  apiKey: ApiKeyView;
  isOpen: boolean;
  onClose: () => void;
  baseUrl: string;
}

/** A new key with the same name and limits; the old one works on, ends in a day, or is revoked at once. */
export function ReplaceKeyDialog({ apiKey, isOpen, onClose, baseUrl }: ReplaceKeyDialogProps) {
  const t = useTranslations("keys");
  const ui = useTranslations("ui");
  const failureText = useFailureText();
  const create = useCreateKey();
  const revoke = useRevokeKey();
  const [secret, setSecret] = useState<string | null>(null);
  const change = useChangeKey(apiKey.id);
  const [oldKey, setOldKey] = useState<OldKey>("keeps");
  const close = () => {
    setSecret(null);
    create.reset();
    onClose();
  };
  const save = () => {
    close();
    const onError = (error: Error) => showToast(failureText(error), "bad");
    if (oldKey === "revoked") revoke.mutate(apiKey.id, { onError });
    if (oldKey === "ends") change.mutate({ expiresAt: new Date(Date.now() + OVERLAP_MS).toISOString() }, { onError });
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
          <fieldset className="grid gap-2 text-sm">
            <legend className="mb-2 font-medium">{t("oldKey")}</legend>
            {oldKeys.map(({ value, text }) => (
              <label key={value} className="flex items-start gap-2.5">
                <input
                  type="radio"
                  name="old-key"
                  className="mt-0.5 size-4 accent-(--ink)"
                  checked={value === oldKey}
                  onChange={() => setOldKey(value)}
                />
                {t(text)}
              </label>
            ))}
          </fieldset>
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

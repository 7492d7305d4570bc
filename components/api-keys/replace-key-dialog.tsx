import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogForm } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { Dialog } from "@/components/ui/dialog";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChangeKey, useCreateKey, useRevokeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { KeyReveal } from "./key-reveal";
import { limitsBody, limitsOf } from "./limits-form";

/** How long the old key works beside the new one, when it is set to end. */
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

/**
 * Creates a key with the same name and limits. The old one keeps working, ends in a day, or is
 * revoked at once.
 */
export function ReplaceKeyDialog({ apiKey, isOpen, onClose, baseUrl }: ReplaceKeyDialogProps) {
  const t = useTranslations("keys");
  const onError = useFailureToast("key");
  const revoke = useRevokeKey();
  const change = useChangeKey(apiKey.id);
  const [secret, setSecret] = useState<string | null>(null);
  const [oldKey, setOldKey] = useState<OldKey>("keeps");
  const close = () => {
    setSecret(null);
    onClose();
  };
  const save = () => {
    close();
    if (oldKey === "revoked") revoke.mutate(apiKey.id, { onError });
    if (oldKey === "ends")
      change.mutate({ expiresAt: new Date(Date.now() + OVERLAP_MS).toISOString() }, { onError });
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={secret ? t("reveal.title") : t("replaceTitle")}
      description={secret ? t("reveal.note") : t("replaceNote", { hint: apiKey.hint })}
      isDismissible={secret === null}
      className={secret ? "sm:w-[min(42rem,calc(100vw-2rem))]" : ""}
    >
      {secret ? (
        <KeyReveal secret={secret} baseUrl={baseUrl} onSaved={save} />
      ) : (
        <ReplaceKeyForm
          apiKey={apiKey}
          oldKey={oldKey}
          onOldKey={setOldKey}
          onMade={setSecret}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

interface ReplaceKeyFormProps {
  apiKey: ApiKeyView;
  oldKey: OldKey;
  onOldKey: (choice: OldKey) => void;
  onMade: (secret: string) => void;
  onCancel: () => void;
}

function ReplaceKeyForm({ apiKey, oldKey, onOldKey, onMade, onCancel }: ReplaceKeyFormProps) {
  const t = useTranslations("keys");
  const create = useCreateKey();
  const form = useServerForm({
    start: {},
    send: () =>
      create.mutateAsync({
        ...limitsBody(limitsOf(apiKey), Date.now()),
        expiresAt: apiKey.expiresAt,
      }),
    onDone: ({ secret }) => onMade(secret),
  });
  return (
    <DialogForm form={form} go={t("replaceDo")} onCancel={onCancel}>
      <fieldset className="grid gap-2 text-sm">
        <legend className="mb-2 font-medium">{t("oldKey")}</legend>
        {oldKeys.map(({ value, text }) => (
          <label key={value} className="flex items-start gap-2.5">
            <input
              type="radio"
              name="old-key"
              className="mt-0.5 size-4 accent-(--ink)"
              checked={value === oldKey}
              onChange={() => onOldKey(value)}
            />
            {t(text)}
          </label>
        ))}
      </fieldset>
    </DialogForm>
  );
}

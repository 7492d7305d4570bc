import { useTranslations } from "next-intl";
import { useState } from "react";
import { CollapsibleSection } from "@/components/forms/collapsible-section";
import { DialogForm } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { Dialog } from "@/components/ui/dialog";
import { useCreateKey, useKeys } from "@/lib/client/api-keys";
import { NAME_LENGTH_MAX } from "@/lib/contract/limits";
import { KeyReveal } from "./key-reveal";
import { LimitsFields } from "./limits-fields";
import { limitFields, limitsBody, startingLimits } from "./limits-form";
import { useLimitsForm } from "./use-limits-form";

interface CreateKeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  baseUrl: string;
}

/** Asks for name and limits, then shows the new key once. */
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
      onClose={close}
      title={secret ? t("reveal.title") : t("createTitle")}
      description={secret ? t("reveal.note") : t("createNote")}
      isDismissible={secret === null}
      className={secret ? "sm:w-[min(42rem,calc(100vw-2rem))]" : ""}
    >
      {secret ? (
        <KeyReveal secret={secret} baseUrl={baseUrl} onSaved={close} />
      ) : (
        <CreateKeyForm onCreated={setSecret} onCancel={close} />
      )}
    </Dialog>
  );
}

interface CreateKeyFormProps {
  onCreated: (secret: string) => void;
  onCancel: () => void;
}

function CreateKeyForm({ onCreated, onCancel }: CreateKeyFormProps) {
  const t = useTranslations("keys");
  const create = useCreateKey();
  const { data } = useKeys();
  const limits = startingLimits(data?.defaults);
  const starting = data?.keys.length === 0 ? { ...limits, name: t("firstName") } : limits;
  const form = useLimitsForm({
    start: starting,
    send: (input) => create.mutateAsync(limitsBody(input, Date.now())),
    onDone: ({ secret }) => onCreated(secret),
  });
  const hasHiddenProblem = limitFields.some((field) => form.errorOf(field) !== undefined);
  return (
    <DialogForm form={form} go={t("create")} onCancel={onCancel}>
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        maxLength={NAME_LENGTH_MAX}
        onFocus={({ currentTarget }) => currentTarget.select()}
        {...form.field("name")}
      />
      <CollapsibleSection
        title={t("limits")}
        note={t("limitsDefault", {
          requests: starting.requestsPerMinute,
          budget: starting.budget || "none",
        })}
        isOpen={hasHiddenProblem}
      >
        <LimitsFields form={form} />
      </CollapsibleSection>
    </DialogForm>
  );
}

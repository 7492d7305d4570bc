import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useCreateWebhook } from "@/lib/client/webhooks";
import { SecretReveal } from "./secret-reveal";
import { WebhookForm } from "./webhook-form";

/** Asks for the address and the events, then shows the secret once. */
export function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("notifications");
  const create = useCreateWebhook();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretReveal secret={secret} onSaved={onClose} />;
  return (
    <Dialog onClose={onClose} title={t("addTitle")} description={t("addNote")}>
      <WebhookForm
        start={{ url: "", kinds: [] }}
        go={t("add")}
        send={create.mutateAsync}
        onDone={(answer) => setSecret(answer.secret)}
        onCancel={onClose}
      />
    </Dialog>
  );
}

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { useRotateWebhook } from "@/lib/client/webhooks";
import type { WebhookDialogProps } from "./edit-webhook-dialog";
import { SecretReveal } from "./secret-reveal";

export function RotateWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations("notifications");
  const rotate = useRotateWebhook(webhook.id);
  const [secret, setSecret] = useState<string | null>(null);
  const form = useServerForm({
    start: {},
    send: () => rotate.mutateAsync(undefined),
    onDone: (answer) => setSecret(answer.secret),
  });
  if (secret !== null) return <SecretReveal secret={secret} onSaved={onClose} />;
  return (
    <FormDialog
      form={form}
      title={t("rotateTitle")}
      note={t("rotateNote")}
      go={t("rotate")}
      onClose={onClose}
    />
  );
}

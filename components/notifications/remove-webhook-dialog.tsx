"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { useServerForm } from "@/components/forms/use-server-form";
import { showToast } from "@/components/ui/toast";
import { useRemoveWebhook } from "@/lib/client/webhooks";
import type { WebhookDialogProps } from "./edit-webhook-dialog";

export function RemoveWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations("notifications");
  const remove = useRemoveWebhook(webhook.id);
  const form = useServerForm({
    start: {},
    send: async () => {
      await remove.mutateAsync(undefined);
      showToast(t("removed"));
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("removeTitle")}
      note={t("removeNote", { url: webhook.url })}
      go={t("remove")}
      isDangerous
      onClose={onClose}
    />
  );
}

import { useTranslations } from "next-intl";
import { AskDialog } from "@/components/forms/ask-dialog";
import { useRemoveWebhook } from "@/lib/client/webhooks";
import type { WebhookDialogProps } from "./edit-webhook-dialog";

export function RemoveWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations("notifications");
  const remove = useRemoveWebhook(webhook.id);
  return (
    <AskDialog
      send={() => remove.mutateAsync(undefined)}
      done={() => t("removed")}
      title={t("removeTitle")}
      note={t("removeNote", { url: webhook.url })}
      go={t("remove")}
      isDangerous
      onClose={onClose}
    />
  );
}

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { showToast } from "@/components/ui/toast";
import { useChangeWebhook } from "@/lib/client/webhooks";
import type { WebhookView } from "@/lib/contract/webhooks";
import { WebhookForm } from "./webhook-form";

export interface WebhookDialogProps {
  webhook: WebhookView;
  onClose: () => void;
}

export function EditWebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations("notifications");
  const change = useChangeWebhook(webhook.id);
  const finish = () => {
    showToast(t("changed"));
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={t("editTitle")}>
      <WebhookForm
        start={{ url: webhook.url, kinds: [...webhook.kinds] }}
        go={t("save")}
        send={change.mutateAsync}
        onDone={finish}
        onCancel={onClose}
      />
    </Dialog>
  );
}

import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSwitchWebhook, useTestWebhook } from "@/lib/client/webhooks";
import type { WebhookView } from "@/lib/contract/webhooks";

export type WebhookDialog = "edit" | "rotate" | "remove" | "log";

interface WebhookActionsProps {
  webhook: WebhookView;
  onOpen: (dialog: WebhookDialog) => void;
}

export function WebhookActions({ webhook, onOpen }: WebhookActionsProps) {
  const t = useTranslations("notifications");
  const onError = useFailureToast();
  const test = useTestWebhook(webhook.id);
  const turn = useSwitchWebhook(webhook.id);
  const isPaused = webhook.pausedAt !== null;
  const sendTest = () =>
    test.mutate(undefined, { onSuccess: () => showToast(t("testSent")), onError });
  const flip = () => turn.mutate(isPaused, { onSuccess: () => showToast(t("changed")), onError });
  return (
    <ActionsMenu label={t("actionsOf", { url: webhook.url })}>
      {isPaused ? null : (
        <MenuItem onSelect={sendTest}>
          <Send aria-hidden />
          {t("test")}
        </MenuItem>
      )}
      <MenuItem onSelect={() => onOpen("edit")}>
        <Pencil aria-hidden />
        {t("edit")}
      </MenuItem>
      <MenuItem onSelect={() => onOpen("rotate")}>
        <KeyRound aria-hidden />
        {t("rotate")}
      </MenuItem>
      <MenuItem onSelect={flip}>
        {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {t(isPaused ? "resume" : "pause")}
      </MenuItem>
      <MenuItem isDangerous onSelect={() => onOpen("remove")}>
        <Trash2 aria-hidden />
        {t("remove")}
      </MenuItem>
    </ActionsMenu>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useRemoveChannel } from "@/lib/client/operator-channels";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { useOperatorFailureText } from "../operator-failure";

export function RemoveDialog({ channel, isOpen, onClose }: { channel: ChannelView; isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("operator.channels");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const remove = useRemoveChannel();
  const close = () => {
    remove.reset();
    onClose();
  };
  const go = () =>
    remove.mutate(channel.id, {
      onSuccess: ({ result }) => {
        showToast(t(`removed.${result}`, { name: channel.name }));
        close();
      },
    });
  const isIdle = channel.state !== "active" && channel.health.openTasks === 0;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => (next ? undefined : close())}
      title={t("removeTitle", { name: channel.name })}
      description={t(isIdle ? "removeNote" : "removeFirst")}
    >
      {remove.error ? <Notice tone="bad">{failureText(remove.error)}</Notice> : null}
      <DialogActions>
        <Button onClick={close}>{ui("cancel")}</Button>
        <Button look="danger" disabled={!isIdle} isBusy={remove.isPending} onClick={go}>
          {t("remove")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

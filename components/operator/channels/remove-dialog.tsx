"use client";

import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { showToast } from "@/components/ui/toast";
import { useRemoveChannel } from "@/lib/client/operator-channels";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { useOperatorForm } from "../use-operator-form";

/** Render it only while it is open. */
export function RemoveDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const t = useTranslations("operator.channels");
  const remove = useRemoveChannel();
  const form = useOperatorForm({
    start: {},
    send: async () => {
      const { result } = await remove.mutateAsync(channel.id);
      // The dialog and its row may already be unmounted.
      showToast(t(`removed.${result}`, { name: channel.name }));
    },
    onDone: onClose,
  });
  const isIdle = channel.state !== "active" && channel.health.openTasks === 0;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("removeTitle", { name: channel.name })}
      note={t(isIdle ? "removeNote" : "removeFirst")}
      go={t("remove")}
      isDangerous
      isOff={!isIdle}
    />
  );
}

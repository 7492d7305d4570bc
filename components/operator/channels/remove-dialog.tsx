import { useTranslations } from "next-intl";
import { useRemoveChannel } from "@/lib/client/operator-channels";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { OperatorAskDialog } from "../operator-ask-dialog";

/** Render it only while it is open. */
export function RemoveDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const t = useTranslations("operator.channels");
  const remove = useRemoveChannel();
  const isIdle = channel.state !== "active" && channel.health.openTasks === 0;
  return (
    <OperatorAskDialog
      send={() => remove.mutateAsync(channel.id)}
      done={({ result }) => t(`removed.${result}`, { name: channel.name })}
      onClose={onClose}
      title={t("removeTitle", { name: channel.name })}
      note={t(isIdle ? "removeNote" : "removeFirst")}
      go={t("remove")}
      isDangerous
      isOff={!isIdle}
    />
  );
}

import {
  CircleOff,
  CirclePlay,
  FlaskConical,
  Hourglass,
  SlidersHorizontal,
  Trash2,
  Wallet,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionsMenu, MenuItem } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSetChannelState } from "@/lib/client/operator-channels";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { AlarmDialog } from "./alarm-dialog";
import { ChannelDialog } from "./channel-dialog";
import { RemoveDialog } from "./remove-dialog";
import { TestDialog } from "./test-dialog";

type Open = "test" | "edit" | "alarm" | "remove" | null;

export function ChannelMenu({ channel }: { channel: ChannelView }) {
  const t = useTranslations("operator.channels");
  const showFailure = useFailureToast("operator");
  const [open, setOpen] = useState<Open>(null);
  const setState = useSetChannelState();
  const close = () => setOpen(null);
  const to = (state: ChannelView["state"]) =>
    setState.mutate(
      { id: channel.id, state },
      {
        onSuccess: () => showToast(t(`turned.${state}`, { name: channel.name })),
        onError: showFailure,
      },
    );
  return (
    <>
      <ActionsMenu
        label={t("actionsFor", { name: channel.name })}
        isBusy={setState.isPending}
        className="sm:-my-1.5"
      >
        <MenuItem onSelect={() => setOpen("test")}>
          <FlaskConical aria-hidden />
          {t("test")}
        </MenuItem>
        <MenuItem onSelect={() => setOpen("edit")}>
          <SlidersHorizontal aria-hidden />
          {t("edit")}
        </MenuItem>
        <MenuItem onSelect={() => setOpen("alarm")}>
          <Wallet aria-hidden />
          {t("balance.alarmOf")}
        </MenuItem>
        {channel.state === "active" ? (
          <MenuItem onSelect={() => to("draining")}>
            <Hourglass aria-hidden />
            {t("drain")}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => to("active")}>
            <CirclePlay aria-hidden />
            {t("enable")}
          </MenuItem>
        )}
        {channel.state === "disabled" ? null : (
          <MenuItem onSelect={() => to("disabled")}>
            <CircleOff aria-hidden />
            {t("disable")}
          </MenuItem>
        )}
        <MenuItem isDangerous onSelect={() => setOpen("remove")}>
          <Trash2 aria-hidden />
          {t("remove")}
        </MenuItem>
      </ActionsMenu>
      {open === "test" ? <TestDialog channel={channel} onClose={close} /> : null}
      {open === "edit" ? <ChannelDialog channel={channel} onClose={close} /> : null}
      {open === "alarm" ? <AlarmDialog channel={channel} onClose={close} /> : null}
      {open === "remove" ? <RemoveDialog channel={channel} onClose={close} /> : null}
    </>
  );
}

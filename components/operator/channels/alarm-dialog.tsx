import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { PointsField } from "@/components/forms/text-field";
import { upstreamBalancesQuery } from "@/lib/client/operator-balances";
import { exactPoints } from "@/lib/client/points-display";
import { useOperatorWrite } from "@/lib/client/write";
import type { ChannelView } from "@/lib/contract/operator-channels";
import { upstreamEndpoints } from "@/lib/contract/operator-upstream";
import { parsePoints } from "@/lib/money/points";
import { useOperatorForm } from "../use-operator-form";

/** Sets the amount at the upstream below which operators are told. Render it only while it is open. */
export function AlarmDialog({ channel, onClose }: { channel: ChannelView; onClose: () => void }) {
  const t = useTranslations("operator.channels.balance");
  const { data } = useQuery(upstreamBalancesQuery);
  const found = data?.balances.find((each) => each.channelId === channel.id);
  const write = useOperatorWrite(upstreamEndpoints.setUpstreamAlarm);
  const form = useOperatorForm({
    start: { below: found?.alarmBelow ? exactPoints(found.alarmBelow) : "" },
    problemsOf: ({ below }) => ({
      below:
        below.trim() === "" || (parsePoints(below.trim()) ?? 0n) > 0n ? undefined : t("problem"),
    }),
    send: ({ below }) =>
      write.mutateAsync({
        body: { channelId: channel.id, below: below.trim() === "" ? null : below.trim() },
      }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("title", { name: channel.name })}
      note={t("note")}
      go={t("save")}
      onClose={onClose}
    >
      <PointsField label={t("below")} {...form.field("below")} />
    </FormDialog>
  );
}

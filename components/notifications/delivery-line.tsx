import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { Pill } from "@/components/ui/pill";
import { RelativeTime } from "@/components/ui/relative-time";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useRedeliver } from "@/lib/client/webhooks";
import type { WebhookDeliveryView } from "@/lib/contract/webhooks";

const tones = { sent: "ok", waiting: "plain", given_up: "bad" } as const;

export function DeliveryLine({ delivery }: { delivery: WebhookDeliveryView }) {
  const t = useTranslations("notifications");
  const showFailure = useFailureToast();
  const redeliver = useRedeliver();
  const { id, kind, createdAt, state, attempts, lastAnswer } = delivery;
  const isStatus = lastAnswer !== null && /^\d{3}$/.test(lastAnswer);
  const answer = isStatus ? t("answers", { answer: lastAnswer }) : t("noAnswer");
  const again = () =>
    redeliver.mutate(id, { onSuccess: () => showToast(t("againDone")), onError: showFailure });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          {kind === null ? t("logTest") : t(`kinds.${kind}`)}
          <Pill tone={tones[state]}>{t(`sending.${state}`)}</Pill>
        </p>
        <p className="flex flex-wrap gap-x-2 text-muted text-xs">
          <RelativeTime at={createdAt} />
          <span>{t("attempts", { count: attempts })}</span>
          {lastAnswer === null ? null : <span>{answer}</span>}
        </p>
      </div>
      <ForRole needs="changeAccount">
        <Button size="small" isBusy={redeliver.isPending} onClick={again}>
          {t("again")}
        </Button>
      </ForRole>
    </li>
  );
}

import { useTranslations } from "next-intl";
import { Dialog } from "@/components/ui/dialog";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { useDeliveries } from "@/lib/client/webhooks";
import { WEBHOOK_LOG_ROWS } from "@/lib/contract/limits";
import { DeliveryLine } from "./delivery-line";
import type { WebhookDialogProps } from "./edit-webhook-dialog";

/** What was sent to an endpoint, and what it answered. */
export function DeliveriesDialog({ webhook, onClose }: WebhookDialogProps) {
  const t = useTranslations("notifications");
  const { data, error, refetch } = useDeliveries(webhook.id);
  return (
    <Dialog
      onClose={onClose}
      title={t("logTitle")}
      description={
        <span className="wrap-anywhere">
          {t("logNote", { count: WEBHOOK_LOG_ROWS, url: webhook.url })}
        </span>
      }
      className="sm:w-[min(42rem,calc(100vw-2rem))]"
    >
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton className="h-14.5 w-full" />}
      {data?.deliveries.length === 0 ? <p className="text-muted">{t("logEmpty")}</p> : null}
      {data && data.deliveries.length > 0 ? (
        <ul className="divide-y rounded-md border">
          {data.deliveries.map((delivery) => (
            <DeliveryLine key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      ) : null}
    </Dialog>
  );
}

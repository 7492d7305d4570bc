import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { Skeleton } from "@/components/ui/skeleton";
import { ColumnHead, HiddenHead } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { webhooksQuery } from "@/lib/client/webhooks";
import { AddWebhookDialog } from "./add-webhook-dialog";
import { WebhookRow } from "./webhook-row";

/** The addresses where programs of the account are told. */
export function WebhooksCard() {
  const t = useTranslations("notifications");
  const query = useQuery(webhooksQuery);
  const [isAdding, setIsAdding] = useState(false);
  const webhooks = query.data?.webhooks ?? [];
  const { rows, sort } = useSorted(webhooks, {
    address: ({ url }) => url,
  });
  return (
    <>
      <ListCard
        id="webhooks"
        title={t("webhooks")}
        note={t("webhooksNote")}
        aside={
          <ForRole needs="changeAccount">
            <Button onClick={() => setIsAdding(true)}>
              <Plus aria-hidden />
              {t("add")}
            </Button>
          </ForRole>
        }
        query={query}
        skeleton={<Skeleton className="mx-5 mb-5 h-4 w-60" />}
        empty={<p className="border-t px-5 py-4 text-muted">{t("webhooksEmpty")}</p>}
        columns={
          <>
            <ColumnHead {...sort("address")}>{t("address")}</ColumnHead>
            <ColumnHead>{t("events")}</ColumnHead>
            <ColumnHead>{t("status")}</ColumnHead>
            <HiddenHead>{t("actions")}</HiddenHead>
          </>
        }
        rows={rows.map((webhook) => <WebhookRow key={webhook.id} webhook={webhook} />)}
      />
      {isAdding ? <AddWebhookDialog onClose={() => setIsAdding(false)} /> : null}
    </>
  );
}

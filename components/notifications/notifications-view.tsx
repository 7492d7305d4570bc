"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ListSkeleton } from "@/components/lists/list-skeleton";
import { After } from "@/components/ui/after";
import { Card } from "@/components/ui/card";
import { RoleNote } from "@/components/ui/for-role";
import { PageHead } from "@/components/ui/page-head";
import { useMe } from "@/lib/client/account";
import { useNotifications } from "@/lib/client/notifications";
import { useMay } from "@/lib/client/shown-account";
import { webhooksQuery } from "@/lib/client/webhooks";
import { ChoicesCard } from "./choices-card";
import { SentCard } from "./sent-card";
import { WebhooksCard } from "./webhooks-card";

const SentSkeleton = () => (
  <Card className="pt-18">
    <ListSkeleton />
  </Card>
);

/** `sendsMail`: whether the installation sends mails at all. */
export function NotificationsView({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations("notifications");
  const meQuery = useMe();
  const { data: me } = meQuery;
  const sent = useNotifications();
  const mayReadWebhooks = useMay("readWebhooks");
  const webhooks = useQuery({ ...webhooksQuery, enabled: mayReadWebhooks });
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      <RoleNote />
      {/* What has happened comes first; where there is room, what is set stands beside it. */}
      <div className="grid grid-cols-1 items-start gap-3.5 xl:grid-cols-[minmax(0,1fr)_23rem]">
        {me ? <SentCard userId={me.user.id} /> : <SentSkeleton />}
        <After of={[sent, meQuery]} className="grid min-w-0 grid-cols-1 gap-3.5">
          {mayReadWebhooks ? <WebhooksCard /> : null}
          <After of={[{ ...webhooks, isEnabled: mayReadWebhooks }]}>
            <ChoicesCard sendsMail={sendsMail} />
          </After>
        </After>
      </div>
    </>
  );
}

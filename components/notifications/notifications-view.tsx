"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ProofDialog } from "@/components/forms/proof-dialog";
import { After } from "@/components/ui/after";
import { ForRole, RoleNote } from "@/components/ui/for-role";
import { PageHead } from "@/components/ui/page-head";
import { useMe } from "@/lib/client/account";
import { choicesQuery } from "@/lib/client/notifications";
import { ChoicesCard } from "./choices-card";
import { SentCard } from "./sent-card";
import { WebhooksCard } from "./webhooks-card";

/** `sendsMail`: whether the installation sends mails at all. */
export function NotificationsView({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations("notifications");
  const { data: me } = useMe();
  // Its card is as high as the role and the mails allow.
  const choices = useQuery(choicesQuery);
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      <RoleNote />
      <div className="grid grid-cols-1 gap-3.5">
        <ChoicesCard sendsMail={sendsMail} />
        <After of={[choices]} className="grid grid-cols-1 gap-3.5">
          <ForRole needs="readWebhooks">
            <WebhooksCard />
          </ForRole>
          {me ? <SentCard userId={me.user.id} /> : null}
        </After>
      </div>
      {me ? <ProofDialog {...me.user} /> : null}
    </>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { useMe } from "@/lib/client/account";

/** Says that the account is suspended, since when and why. */
export function Suspended() {
  const t = useTranslations("shell");
  const suspension = useMe().data?.account.suspension;
  if (!suspension) return null;
  return (
    <div className="mb-5">
      <Notice tone="bad">
        <p className="font-medium">
          {t.rich("suspended", { time: () => <RelativeTime at={suspension.at} /> })}
        </p>
        <p className="wrap-anywhere">{suspension.reason}</p>
        <p className="mt-1 text-muted">{t("suspendedNote")}</p>
      </Notice>
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ForRole } from "@/components/ui/for-role";
import { Link } from "@/components/ui/link";
import { NoticeLine } from "@/components/ui/notice-line";
import { useMe } from "@/lib/client/account";
import { laterCookie } from "@/lib/client/notices";
import { readPoints, shortPoints } from "@/lib/client/points-display";

/** What the server knows of it, so that the layout does not shift. */
export interface LowBalanceNotice {
  readonly accountId: string;
  /** The account's limit, if fewer points are available. */
  readonly limit: string | null;
  /** Dismissed in this browser within a day. */
  readonly isDismissed: boolean;
}

/** The low-balance notice, where the account has set one. */
export function LowBalance({ accountId, limit: initial, isDismissed }: LowBalanceNotice) {
  const t = useTranslations("points");
  const { data: me } = useMe();
  const [isHidden, setIsHidden] = useState(isDismissed);
  const limit = me ? me.account.lowBalanceNotice : initial;
  if (isHidden || !limit) return null;
  if (me && readPoints(me.balance.available) >= readPoints(limit)) return null;
  const dismiss = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = laterCookie(accountId);
    setIsHidden(true);
  };
  return (
    <NoticeLine
      tone="warning"
      role="status"
      className="mb-5 has-[+[data-notice]]:mb-1.5"
      onDismiss={dismiss}
      action={
        <ForRole needs="buy">
          <Link href="/points#topup">{t("lowAction")}</Link>
        </ForRole>
      }
    >
      {t("lowTitle", { points: shortPoints(limit) })}
    </NoticeLine>
  );
}

"use client";

import { TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { ForRole } from "@/components/ui/for-role";
import { useMe } from "@/lib/client/account";
import { readPoints, shortPoints } from "@/lib/client/points-display";

/**
 * The low-balance notice, where the account has set one. `initial` is the server's value, so that
 * the layout does not shift.
 */
export function LowBalance({ initial }: { initial: string | null }) {
  const t = useTranslations("points");
  const { data: me } = useMe();
  const limit = me ? me.account.lowBalanceNotice : initial;
  if (!limit || (me && readPoints(me.balance.available) >= readPoints(limit))) return null;
  return (
    <div
      role="status"
      className="mb-5 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md border border-held/45 bg-held/10 px-3.5 py-2.5 text-sm"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-held-ink" />
      <span>{t("lowTitle", { points: shortPoints(limit) })}</span>
      <ForRole needs="topUp">
        <Link
          href="/points"
          className="rounded-sm font-medium underline decoration-line-strong underline-offset-3 hover:decoration-ink"
        >
          {t("lowAction")}
        </Link>
      </ForRole>
    </div>
  );
}

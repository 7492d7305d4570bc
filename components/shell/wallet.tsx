"use client";

import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { useMe } from "@/lib/client/account";
import { useFollowBalance } from "@/lib/client/follow-balance";

/** Available and held points, always visible. */
export function Wallet() {
  const t = useTranslations("points");
  const { data } = useMe();
  const balance = data?.balance;
  useFollowBalance(balance);
  return (
    <Link
      href="/points"
      className="block min-h-10.25 rounded-lg border md:min-h-21.25 bg-card px-3 py-2.5 hover:border-line-strong max-md:min-w-24 max-md:border-0 max-md:bg-transparent max-md:p-0 max-md:text-right"
    >
      <span className="block text-muted text-sm max-md:sr-only">{t("available")}</span>
      {balance ? (
        <PointsText
          value={balance.available}
          className="block font-medium text-xl max-md:text-lg"
        />
      ) : (
        <Skeleton className="my-1 h-4.5 w-24" />
      )}
      {balance ? (
        <span className="block text-muted text-xs md:text-sm">
          {t.rich("heldAmount", { amount: () => <PointsText value={balance.held} /> })}
        </span>
      ) : (
        <Skeleton className="mt-1 h-3 w-16" />
      )}
    </Link>
  );
}

"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { PointsText } from "@/components/ui/points-text";
import { SettlementLine } from "@/components/usage/settlement-line";
import { useRequestDetail } from "@/lib/client/usage";

/** What a task or request took from the points, as the ledger has it. */
export function CostLine({ id }: { id: string }) {
  const t = useTranslations("playground");
  const { data } = useRequestDetail(id);
  const paid = data?.entry.request;
  return (
    <div className="min-h-17">
      {paid ? (
        <>
          <SettlementLine {...paid} heldSince={data.entry.at} />
          <p className="mt-1.5 flex flex-wrap gap-x-3 text-muted text-sm">
            {paid.settled === null ? null : (
              <span>{t.rich("points", { amount: () => <PointsText value={paid.settled ?? "0"} form="exact" /> })}</span>
            )}
            <Link
              href={`/usage?request=${paid.requestId}`}
              className="num wrap-anywhere rounded-sm underline underline-offset-2 hover:text-ink"
            >
              {paid.requestId}
            </Link>
          </p>
        </>
      ) : null}
    </div>
  );
}

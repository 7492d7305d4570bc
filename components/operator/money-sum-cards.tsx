import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { MoneyView as Money } from "@/lib/contract/operator-money";
import { isTakingKind } from "@/lib/contract/states";
import { SumCard } from "./money-sums";

export function SumCards({ money }: { money: Money | undefined }) {
  const t = useTranslations("operator.money");
  return (
    <div className="grid items-start gap-3.5 lg:grid-cols-2">
      <SumCard
        id="credits"
        title={t("credits")}
        note={t("creditsNote")}
        empty={t("noCredits")}
        of="entries"
        rows={money?.credits.map(({ kind, count, points }) => ({
          name: t(`kinds.${kind as "topup"}`),
          ...{ count, points: isTakingKind(kind) ? `-${points}` : points, isSigned: true },
        }))}
      />
      <SumCard
        id="losses"
        title={t("losses")}
        note={t("lossesNote")}
        empty={t("noLosses")}
        of="requests"
        rows={money?.losses.map(({ cause, ...sum }) => ({
          name: t(`causes.${cause as "usage_missing"}`),
          ...sum,
        }))}
      />
      <SumCard
        id="owed"
        title={t("owed")}
        note={t("owedNote")}
        empty={t("noHolds")}
        of="requests"
        rows={
          money && [
            {
              name: t("available"),
              count: money.liabilities.accounts,
              points: money.liabilities.available,
              of: "accounts",
            },
            {
              name: t("held"),
              count: money.holds.reduce((sum, { count }) => sum + count, 0),
              points: money.liabilities.held,
            },
          ]
        }
      />
      <SumCard
        id="holds"
        title={t("holds")}
        note={t.rich("holdsNote", {
          requests: (text) => (
            <Link className="underline" href="/admin/requests?status=held">
              {text}
            </Link>
          ),
        })}
        empty={t("noHolds")}
        of="requests"
        rows={money?.holds
          .filter(({ count }) => count > 0)
          .map(({ age, ...sum }) => ({ name: t(`ages.${age}`), ...sum }))}
      />
    </div>
  );
}

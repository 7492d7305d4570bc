"use client";

import { useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { LotHeads, LotRow } from "@/components/ui/lot-row";
import { PlanState } from "@/components/ui/plan-state";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useCardPage } from "@/lib/client/auto-topup";
import { usePlan } from "@/lib/client/plans";
import { useIsSuspended, useMay } from "@/lib/client/shown-account";
import type { OwnPlanView } from "@/lib/contract/plans";
import { BuyPlanButton, ChangePlanButton, PlanOffers } from "./plan-offers";

/** The plan and its payment, the points that end, and the plans that can be chosen. */
export function PlanCard() {
  const t = useTranslations("plan");
  const query = usePlan();
  const { data } = query;
  const isSuspended = useIsSuspended();
  return (
    <ListCard
      id="plan"
      className="mt-3.5"
      title={t("title")}
      note={t("note")}
      query={query}
      empty={data?.current ? t("lots.none") : null}
      columns={<LotHeads />}
      rows={(data?.lots ?? []).map((lot) => <LotRow key={lot.id} lot={lot} />)}
      foot={data && data.offered.length > 0 ? <PlanOffers view={data} /> : null}
    >
      {data ? (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pb-4">
          {data.current ? (
            <PlanState current={data.current} isSuspended={isSuspended} />
          ) : (
            <p className="text-sm">{t("none")}</p>
          )}
          {data.current ? (
            <ForRole needs="topUp">
              <Actions current={data.current} />
            </ForRole>
          ) : null}
        </div>
      ) : null}
    </ListCard>
  );
}

function Actions({ current }: { current: NonNullable<OwnPlanView["current"]> }) {
  const t = useTranslations("plan");
  const { payment, next, plan, endsWithPeriod } = current;
  const card = useCardPage();
  const showFailure = useFailureToast("purchase");
  const buys = useMay("buy");
  const isUnpaid = payment?.state === "retrying" || payment?.state === "unpaid";
  const isStillSold = next === null && payment?.periods === plan.advancePeriods;
  const periods = isStillSold ? (payment?.periods ?? 1) : 1;
  return (
    <div className="flex flex-wrap gap-2">
      {buys && isUnpaid ? (
        <BuyPlanButton paid={{ planId: next?.id ?? plan.id, periods }}>{t("payNow")}</BuyPlanButton>
      ) : null}
      {buys && payment ? (
        <Button
          size="small"
          disabled={card.isPending || card.isSuccess}
          onClick={() => card.mutate("save", { onError: showFailure })}
        >
          {t("otherCard")}
        </Button>
      ) : null}
      {endsWithPeriod ? null : <ChangePlanButton change="cancel">{t("cancel")}</ChangePlanButton>}
    </div>
  );
}

"use client";

import { useTranslations } from "next-intl";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { LotHeads, LotRow } from "@/components/ui/lot-row";
import { PlanState } from "@/components/ui/plan-state";
import { usePlanText } from "@/components/ui/plan-text";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChangePlan, usePlan } from "@/lib/client/plans";
import type { AccountPlanView, PlanView } from "@/lib/contract/plans";

/** The plan, the points that end, and the plans that can be chosen. */
export function PlanCard() {
  const t = useTranslations("plan");
  const query = usePlan();
  const { current = null, lots = [], offered = [] } = query.data ?? {};
  return (
    <ListCard
      id="plan"
      className="mt-3.5"
      title={t("title")}
      note={t("note")}
      query={query}
      empty={t("lots.none")}
      columns={<LotHeads />}
      rows={lots.map((lot) => <LotRow key={lot.id} lot={lot} />)}
      foot={offered.length > 0 ? <Offered plans={offered} current={current} /> : null}
    >
      {query.data ? (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-5 pb-4">
          {current ? <PlanState current={current} /> : <p className="text-sm">{t("none")}</p>}
          {current && !current.endsWithPeriod ? (
            <ForRole needs="topUp">
              <ChangeButton planId={null} label={t("cancel")}>
                {t("cancel")}
              </ChangeButton>
            </ForRole>
          ) : null}
        </div>
      ) : null}
    </ListCard>
  );
}

function ChangeButton({
  planId,
  label,
  children,
}: {
  planId: string | null;
  label: string;
  children: string;
}) {
  const t = useTranslations("plan");
  const showFailure = useFailureToast("purchase");
  const change = useChangePlan();
  return (
    <Button
      size="small"
      disabled={change.isPending}
      aria-label={label}
      onClick={() =>
        change.mutate(planId, { onSuccess: () => showToast(t("saved")), onError: showFailure })
      }
    >
      {children}
    </Button>
  );
}

function Offered({ plans, current }: { plans: readonly PlanView[]; current: AccountPlanView }) {
  const t = useTranslations("plan");
  const text = usePlanText();
  const isNext = ({ id }: PlanView) =>
    current !== null && !current.endsWithPeriod && (current.next?.id ?? current.plan.id) === id;
  return (
    <section aria-labelledby="plans-offered" className="border-t px-5 py-4">
      <h3 id="plans-offered" className="font-medium text-sm">
        {t("offered")}
      </h3>
      <ul className="mt-1 divide-y">
        {plans.map((plan) => (
          <li key={plan.id} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
            <div className="min-w-0">
              <p className="flex flex-wrap gap-x-3">
                <span className="font-medium wrap-anywhere">{plan.name}</span>
                <span className="num">{text.price(plan)}</span>
              </p>
              <p className="text-muted text-sm">{`${text.points(plan)}. ${text.goesOn(plan)}`}</p>
              {plan.note ? <p className="text-sm wrap-anywhere">{plan.note}</p> : null}
            </div>
            {isNext(plan) ? (
              <span className="text-muted text-sm">{t("chosen")}</span>
            ) : plan.amount === null ? (
              <ForRole needs="topUp">
                <ChangeButton planId={plan.id} label={t("chooseLabel", { name: plan.name })}>
                  {t("choose")}
                </ChangeButton>
              </ForRole>
            ) : (
              <span className="text-muted text-sm">{t("ask")}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

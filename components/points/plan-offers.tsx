import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { ForRole } from "@/components/ui/for-role";
import { LocalTime } from "@/components/ui/local-time";
import { Pill } from "@/components/ui/pill";
import { usePlanText } from "@/components/ui/plan-text";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { type PaidPlan, type PlanChange, useBuyPlan, useChangePlan } from "@/lib/client/plans";
import type { OwnPlanView, PlanView } from "@/lib/contract/plans";

export function ChangePlanButton({
  change: wanted,
  label,
  children,
}: {
  change: PlanChange;
  /** What it is read as, where its text is that of other buttons too. */
  label?: string;
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
        change.mutate(wanted, { onSuccess: () => showToast(t("saved")), onError: showFailure })
      }
    >
      {children}
    </Button>
  );
}

interface BuyPlanButtonProps {
  paid: PaidPlan;
  label?: string;
  children: string;
}

/** A button that opens the payment provider's page for periods of a plan. */
export function BuyPlanButton({ paid, label, children }: BuyPlanButtonProps) {
  const showFailure = useFailureToast("purchase");
  const buy = useBuyPlan();
  return (
    <Button
      size="small"
      look="go"
      disabled={buy.isPending || buy.isSuccess}
      aria-label={label}
      onClick={() => buy.mutate(paid, { onError: showFailure })}
    >
      {children}
    </Button>
  );
}

/** The plans that can be chosen or paid for. */
export function PlanOffers({ view }: { view: OwnPlanView }) {
  const t = useTranslations("plan");
  const text = usePlanText();
  const { offered, isSold } = view;
  return (
    <section aria-labelledby="plans-offered" className="border-t px-5 py-4">
      <h3 id="plans-offered" className="font-medium text-sm">
        {t("offered")}
      </h3>
      {isSold && offered.some(({ amount }) => amount !== null) ? (
        <p className="mt-1 max-w-[75ch] text-muted text-sm">{t("renews")}</p>
      ) : null}
      <ul className="mt-1 divide-y">
        {offered.map((plan) => (
          <li key={plan.id} className="flex flex-wrap items-center justify-between gap-3 py-2.5">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-medium wrap-anywhere">{plan.name}</span>
                <span className="num">{text.price(plan)}</span>
                {plan.advancePeriods === null ? null : (
                  <span className="num">{text.advance(plan)}</span>
                )}
                <OwnMark planId={plan.id} current={view.current} />
              </p>
              <p className="text-muted text-sm">{text.terms(plan)}</p>
              {plan.note ? <p className="text-sm wrap-anywhere">{plan.note}</p> : null}
            </div>
            <PlanOffer plan={plan} view={view} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the plan is the account's, or when it will be. */
function OwnMark({ planId, current }: { planId: string } & Pick<OwnPlanView, "current">) {
  const t = useTranslations("plan");
  if (current?.plan.id === planId) return <Pill tone="ok">{t("isCurrent")}</Pill>;
  if (current === null || current.next?.id !== planId) return null;
  const { periodsAhead, periodEndsAt } = current;
  // After periods that are paid already, the time is not known here.
  if (periodsAhead > 0) return <Pill>{t("isNext")}</Pill>;
  return <Pill>{t.rich("begins", { at: () => <LocalTime at={periodEndsAt} /> })}</Pill>;
}

function PlanOffer({ plan, view }: { plan: PlanView; view: OwnPlanView }) {
  const t = useTranslations("plan");
  const { current, isSold } = view;
  const { id: planId, name } = plan;
  const follows = current !== null && !current.endsWithPeriod;
  if (follows && (current.next?.id ?? current.plan.id) === planId) return null;
  if (plan.amount === null)
    return (
      <ForRole needs="topUp">
        <ChangePlanButton change={{ choose: planId }} label={t("chooseLabel", { name })}>
          {t("choose")}
        </ChangePlanButton>
      </ForRole>
    );
  if (!isSold) return <span className="text-muted text-sm">{t("ask")}</span>;
  const atOnce = plan.advancePeriods === null ? [1] : [1, plan.advancePeriods];
  return (
    <ForRole needs="topUp">
      <div className="flex flex-wrap gap-2">
        {atOnce.map((periods) => (
          <PayButtons key={periods} plan={plan} periods={periods} view={view} />
        ))}
      </div>
    </ForRole>
  );
}

/** Pays for a number of periods at once: on a page, or by the saved card from the next one on. */
function PayButtons({
  plan: { id: planId, name },
  periods,
  view: { current, hasCard },
}: {
  plan: PlanView;
  periods: number;
  view: OwnPlanView;
}) {
  const t = useTranslations("plan");
  const isOwn = current?.plan.id === planId;
  const paid = { planId, periods };
  const count = (text: string) => (periods === 1 ? text : `${text} (× ${periods})`);
  return (
    <>
      {current !== null && hasCard ? (
        <ChangePlanButton
          change={{ payByCard: paid }}
          label={count(t(isOwn ? "keepLabel" : "nextLabel", { name }))}
        >
          {count(t(isOwn ? "keep" : "next"))}
        </ChangePlanButton>
      ) : null}
      {(isOwn && hasCard) || current?.status === "paused" ? null : (
        <ForRole needs="buy">
          <BuyPlanButton paid={paid} label={count(t("buyLabel", { name }))}>
            {count(t(current === null || isOwn ? "buy" : "buyNow"))}
          </BuyPlanButton>
        </ForRole>
      )}
    </>
  );
}

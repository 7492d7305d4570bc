import { useLocale, useTranslations } from "next-intl";
import { moneyText } from "@/lib/client/money-text";
import type { AccountPlanView } from "@/lib/contract/plans";
import { LocalTime } from "./local-time";
import { Notice } from "./notice";
import { Pill } from "./pill";
import { usePlanText } from "./plan-text";

type Current = NonNullable<AccountPlanView>;

interface PlanStateProps {
  current: Current;
  /** Then nothing is given or charged, as while the plan is paused. */
  isSuspended: boolean;
}

const isStill = ({ current: { status }, isSuspended }: PlanStateProps) =>
  isSuspended || status === "paused";

function comingOf(props: PlanStateProps) {
  const { endsWithPeriod, next, periodsAhead, payment } = props.current;
  if (isStill(props)) return "paused";
  if (endsWithPeriod) return periodsAhead > 0 ? "endsLater" : "ends";
  if (payment !== null && payment.failure !== null && periodsAhead === 0) return "unpaid";
  return next === null ? "goes" : "changes";
}

/** The plan that an account is on, what comes next, and how it is paid. */
export function PlanState(props: PlanStateProps) {
  const { current } = props;
  const t = useTranslations("plan");
  const text = usePlanText();
  const { plan, status, periodEndsAt, next, periodsAhead } = current;
  return (
    <div className="grid min-w-0 gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{plan.name}</span>
        {status === "paused" ? <Pill tone="plain">{t("isPaused")}</Pill> : null}
      </p>
      <p className="text-muted text-sm">{text.terms(plan)}</p>
      <p className="text-sm">
        {t.rich(`coming.${comingOf(props)}`, {
          at: () => <LocalTime at={periodEndsAt} />,
          plan: next?.name ?? "",
          count: periodsAhead,
        })}
      </p>
      <NextPayment {...props} />
    </div>
  );
}

function NextPayment(props: PlanStateProps) {
  const { payment, periodsAhead } = props.current;
  const t = useTranslations("plan.payment");
  const locale = useLocale();
  if (payment === null) return null;
  const { amount, currency, card, state, failure, retryAt, unpaidUntil } = payment;
  const price = moneyText(amount, currency, locale);
  const time = (at: string | null) => () => (at === null ? null : <LocalTime at={at} />);
  if (failure !== null && unpaidUntil !== null && !isStill(props))
    return (
      <Notice tone="bad">
        {t(`failed.${failure}`, { price })}{" "}
        {state === "retrying" && retryAt !== null ? t.rich("retry", { at: time(retryAt) }) : null}{" "}
        {t.rich("until", { at: time(unpaidUntil) })}
      </Notice>
    );
  if (state === "charging") return <p className="text-sm">{t("charging", { price })}</p>;
  if (periodsAhead > 0) return <p className="text-sm">{t("ahead", { count: periodsAhead })}</p>;
  if (isStill(props)) return null;
  return (
    <p className="text-sm">
      {card === null ? t("noCard", { price }) : t("due", { price, ...card })}
    </p>
  );
}

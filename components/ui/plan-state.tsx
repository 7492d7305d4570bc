import { useLocale, useTranslations } from "next-intl";
import { moneyText } from "@/lib/client/money-text";
import type { AccountPlanView } from "@/lib/contract/plans";
import { LocalTime } from "./local-time";
import { Notice } from "./notice";
import { Pill } from "./pill";
import { usePlanText } from "./plan-text";

type Current = NonNullable<AccountPlanView>;

function comingOf({ status, endsWithPeriod, next, periodsAhead, payment }: Current) {
  if (status === "paused") return "paused";
  if (endsWithPeriod) return periodsAhead > 0 ? "endsLater" : "ends";
  if (payment !== null && payment.failure !== null && periodsAhead === 0) return "unpaid";
  return next === null ? "goes" : "changes";
}

/** The plan that an account is on, what comes next, and how it is paid. */
export function PlanState({ current }: { current: Current }) {
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
        {t.rich(`coming.${comingOf(current)}`, {
          at: () => <LocalTime at={periodEndsAt} />,
          plan: next?.name ?? "",
          count: periodsAhead,
        })}
      </p>
      <NextPayment current={current} />
    </div>
  );
}

function NextPayment({ current: { payment, periodsAhead, status } }: { current: Current }) {
  const t = useTranslations("plan.payment");
  const locale = useLocale();
  if (payment === null) return null;
  const { amount, currency, card, state, failure, retryAt, unpaidUntil } = payment;
  const price = moneyText(amount, currency, locale);
  const time = (at: string | null) => () => (at === null ? null : <LocalTime at={at} />);
  if (failure !== null && unpaidUntil !== null)
    return (
      <Notice tone="bad">
        {t(`failed.${failure}`, { price })}{" "}
        {state === "retrying" && retryAt !== null ? t.rich("retry", { at: time(retryAt) }) : null}{" "}
        {t.rich("until", { at: time(unpaidUntil) })}
      </Notice>
    );
  if (state === "charging") return <p className="text-sm">{t("charging", { price })}</p>;
  if (periodsAhead > 0) return <p className="text-sm">{t("ahead", { count: periodsAhead })}</p>;
  if (status === "paused") return null;
  return (
    <p className="text-sm">
      {card === null ? t("noCard", { price }) : t("due", { price, ...card })}
    </p>
  );
}

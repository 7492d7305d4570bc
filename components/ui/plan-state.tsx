"use client";

import { useTranslations } from "next-intl";
import type { AccountPlanView } from "@/lib/contract/plans";
import { LocalTime } from "./local-time";
import { Pill } from "./pill";
import { usePlanText } from "./plan-text";

/** The plan that an account is on, and what comes next. */
export function PlanState({ current }: { current: NonNullable<AccountPlanView> }) {
  const t = useTranslations("plan");
  const text = usePlanText();
  const { plan, status, periodEndsAt, next, endsWithPeriod } = current;
  const coming =
    status === "paused" ? "paused" : endsWithPeriod ? "ends" : next === null ? "goes" : "changes";
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{plan.name}</span>
        {status === "paused" ? <Pill tone="plain">{t("isPaused")}</Pill> : null}
      </p>
      <p className="text-muted text-sm">{`${text.points(plan)}. ${text.goesOn(plan)}`}</p>
      <p className="text-sm">
        {t.rich(`coming.${coming}`, {
          at: () => <LocalTime at={periodEndsAt} />,
          plan: next?.name ?? "",
        })}
      </p>
    </div>
  );
}

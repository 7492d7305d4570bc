import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { dayName } from "@/lib/client/days";
import { type KeyBudget, keyBudgets } from "@/lib/client/key-budgets";
import { useNow } from "@/lib/client/now";
import { shortPoints } from "@/lib/client/points-display";
import { relativeTime } from "@/lib/client/times";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { formatPoints } from "@/lib/money/points";
import { BudgetBar } from "./budget-bar";
import { RaiseBudgetDialog } from "./raise-budget-dialog";

interface KeyBudgetsProps {
  apiKey: ApiKeyView;
  /** Whether the key can be used. */
  isInUse: boolean;
  mayChange: boolean;
}

/** A key's budgets: what is used, when each is used up, and a button that raises it. */
export function KeyBudgets({ apiKey, isInUse, mayChange }: KeyBudgetsProps) {
  const t = useTranslations("keys");
  const [raising, setRaising] = useState<KeyBudget | null>(null);
  const budgets = keyBudgets(apiKey, useNow());
  if (budgets.length === 0) return <span className="text-muted text-sm">{t("noBudget")}</span>;
  return (
    <>
      <ul className="grid w-full min-w-28 max-w-72 gap-2.5 text-sm cards:max-w-none">
        {budgets.map((each) => (
          <li key={each.period} className="grid gap-1 text-left">
            <Used budget={each} />
            <BudgetBar {...each} />
            {isInUse ? (
              <span className="flex min-h-8 flex-wrap items-center justify-between gap-x-2">
                <Outlook budget={each} />
                {mayChange ? (
                  <Button
                    size="small"
                    className="-mr-2.5 ml-auto"
                    look="quiet"
                    aria-label={t(`raiseLabel.${each.period}`, { name: apiKey.name })}
                    onClick={() => setRaising(each)}
                  >
                    {t("raise")}
                  </Button>
                ) : null}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {raising ? (
        <RaiseBudgetDialog apiKey={apiKey} budget={raising} onClose={() => setRaising(null)} />
      ) : null}
    </>
  );
}

function Used({ budget: { period, budget, left } }: { budget: KeyBudget }) {
  const t = useTranslations("keys");
  return (
    <span className="num">
      {t(`usedOf.${period}`, {
        spent: shortPoints(formatPoints(budget - left)),
        budget: shortPoints(formatPoints(budget)),
      })}
    </span>
  );
}

/** `Used up on 4 Dec`, or when it renews. */
function Outlook({ budget: { left, usedUpAt, renewsAt } }: { budget: KeyBudget }) {
  const t = useTranslations("keys");
  const locale = useLocale();
  const now = useNow();
  const day = useUsedUpDay(usedUpAt);
  const renewal =
    renewsAt === null ? null : t("renews", { time: relativeTime(renewsAt, now, locale) });
  if (left === 0n)
    return <span className="text-bad">{[t("usedUp"), renewal].filter(Boolean).join(" · ")}</span>;
  if (day !== null) return <span className="text-held-ink">{day}</span>;
  return <span className="text-muted">{renewal}</span>;
}

/** `used up today`, or `used up on 4 Dec`; null when it is not in sight. */
function useUsedUpDay(usedUpAt: number | null): string | null {
  const t = useTranslations("keys");
  const locale = useLocale();
  const now = useNow();
  if (usedUpAt === null) return null;
  const [today, day] = [now, usedUpAt].map((at) => new Date(at).toISOString().slice(0, 10));
  if (day === undefined || today === undefined || day <= today) return t("usedUpToday");
  return t("usedUpOn", { day: dayName(day, locale, day.slice(0, 4) !== today.slice(0, 4)) });
}

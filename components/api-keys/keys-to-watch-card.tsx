"use client";

import { useFormatter, useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Card, PartHead } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { useKeys } from "@/lib/client/api-keys";
import { lifetimeBudget } from "@/lib/client/key-budgets";
import { keysToWatch, type WatchedKey } from "@/lib/client/keys-to-watch";
import { useNow } from "@/lib/client/now";
import { readPoints, shortPoints } from "@/lib/client/points-display";
import { relativeTime } from "@/lib/client/times";
import type { ApiKeyView } from "@/lib/contract/api-keys";
import { formatPoints } from "@/lib/money/points";
import { BudgetBar } from "./budget-bar";
import { ChangeLimitsDialog } from "./change-limits-dialog";
import { RaiseBudgetDialog } from "./raise-budget-dialog";
import { useMayChange } from "./use-may-change";
import { useResume } from "./use-resume";

const SHOWN_MAX = 3;

/** The keys that are paused, near their budget, or about to expire; nothing when there are none. */
export function KeysToWatchCard() {
  const t = useTranslations("overview.keys");
  const { data } = useKeys();
  const now = useNow();
  const watched = keysToWatch(data?.keys ?? [], now);
  if (data === undefined || watched.length === 0) return null;
  return (
    <Card aria-labelledby="watched" className="px-4 pt-3.5 pb-1.5">
      <PartHead
        id="watched"
        title={t("title")}
        href="/keys"
        all={t("all", { count: data.keys.length })}
        className="pb-1"
      />
      <ul className="divide-y">
        {watched.slice(0, SHOWN_MAX).map((each) => (
          <WatchedRow key={each.key.id} watched={each} now={now} />
        ))}
      </ul>
    </Card>
  );
}

interface WatchedProps {
  watched: WatchedKey<ApiKeyView>;
  now: number;
}

function WatchedRow({ watched, now }: WatchedProps) {
  const t = useTranslations("overview.keys");
  const locale = useLocale();
  const { key, why, left } = watched;
  const mayChange = useMayChange(key);
  return (
    <li className="grid gap-1.5 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <b className="wrap-anywhere font-medium">{key.name}</b>
        <span className={why === "paused" ? "text-bad" : "text-muted"}>
          {why === "paused" ? t("paused") : null}
          {why === "budget" && key.budget !== null
            ? t("left", {
                left: shortPoints(formatPoints(left ?? 0n)),
                budget: shortPoints(key.budget),
              })
            : null}
          {why === "expiry" && key.expiresAt !== null
            ? t("ends", { time: relativeTime(key.expiresAt, now, locale) })
            : null}
        </span>
      </p>
      {why === "budget" ? (
        <BudgetBar budget={readPoints(key.budget ?? "0")} left={left ?? 0n} />
      ) : null}
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-muted">
        <span>
          <Note watched={watched} />
        </span>
        {mayChange ? <Action watched={watched} now={now} /> : null}
      </p>
    </li>
  );
}

/** Resumes the key, or opens what raises its budget or its last day. */
function Action({ watched: { key, why }, now }: WatchedProps) {
  const t = useTranslations("overview.keys");
  const [isOpen, setIsOpen] = useState(false);
  const resume = useResume(key);
  const close = () => setIsOpen(false);
  const budget = why === "budget" ? lifetimeBudget(key, now) : null;
  return (
    <>
      <button
        type="button"
        onClick={why === "paused" ? resume : () => setIsOpen(true)}
        className="rounded-sm underline decoration-line-strong underline-offset-3 hover:text-ink hover:decoration-ink"
      >
        {t(`actions.${why}`)}
        <span className="sr-only"> {key.name}</span>
      </button>
      {isOpen && budget ? <RaiseBudgetDialog apiKey={key} budget={budget} onClose={close} /> : null}
      {isOpen && why === "expiry" ? <ChangeLimitsDialog apiKey={key} onClose={close} /> : null}
    </>
  );
}

function Note({ watched: { key, why, left, lastsDays } }: { watched: WatchedKey }) {
  const t = useTranslations("overview.keys");
  const format = useFormatter();
  if (why === "budget" && left === 0n) return t("usedUp");
  if (why === "budget" && lastsDays !== null) {
    const days = Math.floor(lastsDays);
    return days < 1 ? t("lastsToday") : t("lasts", { count: days, number: format.number(days) });
  }
  return key.lastUsedAt === null
    ? t("neverUsed")
    : t.rich("lastUsed", { time: () => <RelativeTime at={key.lastUsedAt ?? ""} /> });
}

import { CreditCard } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { useFailureText } from "@/components/ui/failure-text";
import { Notice } from "@/components/ui/notice";
import { Pill } from "@/components/ui/pill";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { useAutoTopup, useCardPage, useChangeAutoTopup } from "@/lib/client/auto-topup";
import { moneyText } from "@/lib/client/money-text";
import { shortPoints } from "@/lib/client/points-display";
import { useMay } from "@/lib/client/shown-account";
import type { AutoTopupView } from "@/lib/contract/auto-topup";
import type { PackageView } from "@/lib/contract/payments";
import { AutoTopupDialog } from "./auto-topup-dialog";

interface AutoTopupCardProps {
  packages: readonly PackageView[];
  /** False where operators switched it off: then a saved card can only be removed. */
  isOffered: boolean;
  returned: string | null;
}

const tones = {
  no_card: "plain",
  off: "plain",
  switched_off: "plain",
  on: "ok",
  pending: "ok",
  retry: "held",
  month_reached: "held",
  paused: "held",
} as const satisfies Record<AutoTopupView["state"], string>;

/** The saved card, the terms on which it is charged, and what happens now. */
export function AutoTopupCard({ packages, isOffered, returned }: AutoTopupCardProps) {
  const t = useTranslations("points.automatic");
  const { data, error, refetch } = useAutoTopup(returned);
  if (!isOffered && data?.card == null) return null;
  // Without packages, the card pays for a plan.
  const isOfPackages = packages.length > 0;
  return (
    <Card aria-labelledby="auto-topup" className="mt-3.5">
      <CardHead
        id="auto-topup"
        title={t(isOfPackages ? "title" : "cardTitle")}
        note={t(isOfPackages ? "note" : "cardNote")}
      />
      <div className="grid gap-3 px-5 pb-4.5">
        {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
        {data ? <AutoTopup view={data} packages={packages} isOffered={isOffered} /> : null}
        {data || error ? null : <Skeleton className="h-10 w-full max-w-100" />}
      </div>
    </Card>
  );
}

type Shown = Omit<AutoTopupCardProps, "returned"> & { view: AutoTopupView };

function AutoTopup({ view, packages, isOffered }: Shown) {
  const t = useTranslations("points.automatic");
  const failureText = useFailureText("purchase");
  const [isOpen, setIsOpen] = useState(false);
  const change = useChangeAutoTopup();
  const page = useCardPage();
  const { state, card, paused } = view;
  const buys = useMay("buy") && isOffered;
  const isBusy = change.isPending || page.isPending || page.isSuccess;
  const failure = change.error ?? page.error;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {packages.length > 0 ? <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill> : null}
        {card ? (
          <span className="inline-flex items-center gap-1.5 text-sm">
            <CreditCard aria-hidden className="size-4 text-muted" />
            {t("card", { brand: card.brand, last4: card.last4, expires: card.expires })}
          </span>
        ) : null}
      </p>
      <Terms view={view} />
      {paused ? (
        <Notice tone="bad">{t(`pauses.${paused}`, { card: card?.last4 ?? "" })}</Notice>
      ) : null}
      {failure ? <Notice tone="bad">{failureText(failure)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        {buys && paused === "needs_person" ? (
          <Button look="go" disabled={isBusy} onClick={() => page.mutate("confirm")}>
            {t("confirm")}
          </Button>
        ) : null}
        {buys && card ? (
          <Button
            look={state === "off" ? "go" : undefined}
            disabled={isBusy}
            onClick={() => setIsOpen(true)}
          >
            {state === "off" ? t("turnOn") : t("change")}
          </Button>
        ) : null}
        {buys ? (
          <Button
            look={card ? undefined : "go"}
            disabled={isBusy}
            onClick={() => page.mutate("save")}
          >
            {card ? t("otherCard") : t("saveCard")}
          </Button>
        ) : null}
        {card && state !== "off" ? (
          <Button disabled={isBusy} onClick={() => change.mutate("off")}>
            {t("turnOff")}
          </Button>
        ) : null}
        {card ? (
          <Button disabled={isBusy} onClick={() => change.mutate("remove_card")}>
            {t("removeCard")}
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        <AutoTopupDialog onClose={() => setIsOpen(false)} terms={view.terms} packages={packages} />
      ) : null}
    </>
  );
}

function Terms({ view: { terms, state } }: { view: AutoTopupView }) {
  const t = useTranslations("points.automatic");
  const locale = useLocale();
  if (terms === null || state === "off" || state === "no_card") return null;
  const money = (amount: number) => moneyText(amount, terms.currency, locale);
  return (
    <>
      <p className="max-w-[75ch]">
        {t("terms", {
          threshold: shortPoints(terms.threshold),
          name: terms.packageName,
          points: shortPoints(terms.points),
          price: money(terms.amount),
        })}
      </p>
      <p className="text-muted text-sm">
        {t("month", { charged: money(terms.monthCharged), max: money(terms.monthMax) })}
      </p>
    </>
  );
}

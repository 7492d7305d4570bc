import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { PointsText } from "@/components/ui/points-text";
import { Skeleton } from "@/components/ui/skeleton";
import { readPoints } from "@/lib/client/points-display";
import type { useQuote } from "@/lib/client/studio";
import { formatPoints } from "@/lib/money/points";

const DECIMALS = 6;
type Quoting = ReturnType<typeof useQuote>;

/** The sum of quotes as exact decimal points. */
function sumOf(quotes: readonly Quoting[], each: "estimate_points" | "hold_points", times: number) {
  const sum = quotes.reduce(
    (total, { quote }) => total + readPoints((quote?.[each] ?? 0).toFixed(DECIMALS)),
    0n,
  );
  return formatPoints(sum * BigInt(times));
}

interface QuoteFootProps {
  /** One for each request that the button sends; each is sent `times` times. */
  quotes: readonly Quoting[];
  times?: number;
  isReady: boolean;
  /** What is missing until it is ready; absent for the prompt. */
  lack?: string;
  isBusy: boolean;
  /** What the button says. */
  go: string;
  /** Why the last one was refused, or what of settings did not come back. */
  children?: ReactNode;
}

/** The foot of the form, always in sight: what the button will cost, and the button. */
export function QuoteFoot(props: QuoteFootProps) {
  const { quotes, times = 1, isReady, lack, isBusy, go, children } = props;
  const t = useTranslations("studio");
  const failureText = useFailureText("studio");
  const error = quotes.find((each) => each.error)?.error ?? null;
  const hasAll = isReady && quotes.every(({ quote }) => quote !== undefined);
  const isCurrent = quotes.every((each) => each.isCurrent);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2.5 border-t bg-paper px-4 py-2.5 lg:grid-cols-1 lg:px-6 lg:py-4">
      <div className="col-span-full grid gap-2.5 empty:hidden">{children}</div>
      <div
        className="min-h-10.5 content-center text-muted text-sm lg:min-h-12.5"
        aria-live="polite"
        aria-busy={hasAll && !isCurrent && !error}
      >
        {error ? <p className="wrap-anywhere text-bad">{failureText(error)}</p> : null}
        {!error && !isReady ? <p>{lack ?? t("noQuote")}</p> : null}
        {!error && isReady && !hasAll ? <Skeleton className="mt-2 h-5 w-40" /> : null}
        {!error && hasAll ? (
          <dl className="grid gap-0.5">
            <div className="lg:flex lg:items-baseline lg:justify-between lg:gap-3">
              <dt>{t("cost")}</dt>
              <dd className="text-ink">
                <PointsText
                  value={sumOf(quotes, "estimate_points", times)}
                  form="exact"
                  className="font-medium text-xl"
                />{" "}
                {t("points")}
              </dd>
            </div>
            <div className="flex items-baseline justify-between gap-3 max-lg:hidden">
              <dt>{t("costUpTo")}</dt>
              <dd>
                <PointsText value={sumOf(quotes, "hold_points", times)} />
              </dd>
            </div>
          </dl>
        ) : null}
      </div>
      <Button
        type="submit"
        look="signal"
        size="large"
        isBusy={isBusy}
        disabled={!isReady || error !== null}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {go}
        <kbd aria-hidden className="text-xs max-lg:hidden">
          {t("keys")}
        </kbd>
      </Button>
    </div>
  );
}

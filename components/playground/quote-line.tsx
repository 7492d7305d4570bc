"use client";

import { useTranslations } from "next-intl";
import { useFailureText } from "@/components/ui/failure-text";
import { PointsText } from "@/components/ui/points-text";
import type { QuoteResponse } from "@/lib/contract/own-account";

const DECIMALS = 6;

/** The cost and the hold of the form's request, as the relay quotes them. */
export function QuoteLine({
  quote,
  error,
  isCurrent,
}: {
  quote: QuoteResponse | undefined;
  error: Error | null;
  isCurrent: boolean;
}) {
  const t = useTranslations("studio");
  const failureText = useFailureText();
  return (
    <div
      className="min-h-12 text-sm"
      aria-live="polite"
      aria-busy={quote !== undefined && !isCurrent && !error}
    >
      {error ? <p className="wrap-anywhere text-bad">{failureText(error)}</p> : null}
      {!error && !quote ? <p className="text-muted">{t("noQuote")}</p> : null}
      {!error && quote ? (
        <>
          <p>
            {t.rich("quoted", {
              amount: () => (
                <PointsText
                  value={quote.estimate_points.toFixed(DECIMALS)}
                  form="exact"
                  className="font-medium"
                />
              ),
            })}
          </p>
          <p className="text-muted">
            {t.rich("willBeHeld", {
              amount: () => <PointsText value={quote.hold_points.toFixed(DECIMALS)} form="exact" />,
            })}
          </p>
        </>
      ) : null}
    </div>
  );
}

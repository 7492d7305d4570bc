"use client";

import { useTranslations } from "next-intl";
import { shortPoints } from "@/lib/client/points-display";
import { useQuote } from "@/lib/client/studio";

const DECIMALS = 6;

/** What the written message will cost, about and at most; nothing while it is not known. */
export function ChatCost({ request }: { request: object | null }) {
  const t = useTranslations("playground");
  const { quote } = useQuote("createChatCompletion", request);
  const text = (points: number) => shortPoints(points.toFixed(DECIMALS));
  return (
    <p className="num min-w-0 flex-1 truncate text-muted text-xs" aria-live="polite">
      {quote
        ? t("estimate", { amount: text(quote.estimate_points), most: text(quote.hold_points) })
        : null}
    </p>
  );
}

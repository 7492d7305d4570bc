import { useTranslations } from "next-intl";
import { shortPoints } from "@/lib/client/points-display";
import { useQuote } from "@/lib/client/studio";

const DECIMALS = 6;

/**
 * What the written message will cost, about and at most; nothing while it is not known. A request
 * for each model that answers, of which there are up to four.
 */
export function ChatCost({ requests: [first, ...others] }: { requests: readonly object[] }) {
  const t = useTranslations("playground");
  const quotes = [
    useQuote("createChatCompletion", first ?? null),
    useQuote("createChatCompletion", others[0] ?? null),
    useQuote("createChatCompletion", others[1] ?? null),
    useQuote("createChatCompletion", others[2] ?? null),
  ].slice(0, 1 + others.length);
  const known = quotes.flatMap(({ quote }) => quote ?? []);
  const sum = (name: "estimate_points" | "hold_points") =>
    shortPoints(known.reduce((all, quote) => all + quote[name], 0).toFixed(DECIMALS));
  return (
    <p className="num min-w-0 flex-1 truncate text-muted text-xs" aria-live="polite">
      {first && known.length === quotes.length
        ? t("estimate", { amount: sum("estimate_points"), most: sum("hold_points") })
        : null}
    </p>
  );
}

import { useTranslations } from "next-intl";
import { useRateText } from "@/components/requests/rate-text";
import { cn } from "@/components/ui/class-names";
import { LocalTime } from "@/components/ui/local-time";
import { useListText } from "@/components/ui/use-list-text";
import { priceText } from "@/lib/client/points-display";
import type { ModelPriceView } from "@/lib/contract/prices";
import { isMainRate } from "@/lib/contract/units";

interface NextPriceProps {
  next: NonNullable<ModelPriceView["next"]>;
  className?: string;
}

/** A planned price and when it starts. */
export function NextPrice({ next, className }: NextPriceProps) {
  const listed = useListText();
  const t = useTranslations("pricing");
  const rateText = useRateText();
  const isTokens = next.rates.every(isMainRate);
  const price = isTokens
    ? next.rates.map(({ points }) => priceText(points)).join(" / ")
    : listed(next.rates.map(rateText.price));
  return (
    <span className={cn("block font-sans text-held-ink text-xs tracking-normal", className)}>
      {t.rich("next", { price, date: () => <LocalTime at={next.effectiveAt} /> })}
    </span>
  );
}

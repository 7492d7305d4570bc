import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { LocalTime } from "@/components/ui/local-time";
import type { ModelPriceView } from "@/lib/contract/prices";
import { usePlannedText } from "./planned-text";

interface NextPriceProps {
  price: Pick<ModelPriceView, "rates" | "next">;
  /** Calls it the list price, where the account has a price of its own. */
  isNamed?: boolean;
  className?: string;
}

/** A planned price and when it starts; nothing where none is planned. */
export function NextPrice({ price: { rates, next }, isNamed, className }: NextPriceProps) {
  const t = useTranslations("pricing");
  const plannedText = usePlannedText();
  if (next === null) return null;
  const price = plannedText(rates, next.rates);
  return (
    <span className={cn("block font-sans text-held-ink text-xs tracking-normal", className)}>
      {t.rich(isNamed ? "nextList" : "next", {
        price,
        date: () => <LocalTime at={next.effectiveAt} />,
      })}
    </span>
  );
}

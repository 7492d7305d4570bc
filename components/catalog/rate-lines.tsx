import { rateKey, useRateText } from "@/components/requests/rate-text";
import { cn } from "@/components/ui/class-names";
import { priceText } from "@/lib/client/points-display";
import type { RateView } from "@/lib/contract/rates";

interface RateLinesProps {
  rates: readonly RateView[];
  /** A single rate is named too. */
  isNamed?: boolean;
}

/** A line of so many characters is not broken; a longer one may need to be on a phone. */
const UNBROKEN_MAX = 24;

/** A price with one line for each rate; a single rate of tokens is only its amount. */
export function RateLines({ rates, isNamed = false }: RateLinesProps) {
  const { price } = useRateText();
  const [only] = rates;
  if (!isNamed && rates.length === 1 && only?.unit.endsWith("_token"))
    return <span>{priceText(only.points)}</span>;
  return (
    <span className="grow text-right">
      {rates.map((rate) => {
        const line = price(rate);
        const isShort = line.length <= UNBROKEN_MAX;
        return (
          <span key={rateKey(rate)} className={cn("block", isShort && "whitespace-nowrap")}>
            {line}
          </span>
        );
      })}
    </span>
  );
}

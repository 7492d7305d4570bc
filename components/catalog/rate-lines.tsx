import { rateKey, useRateText } from "@/components/requests/rate-text";
import { priceText } from "@/lib/client/points-display";
import type { RateView } from "@/lib/contract/rates";

interface RateLinesProps {
  rates: readonly RateView[];
  /** A single rate is named too. */
  isNamed?: boolean;
}

/** A price with one line for each rate; a single rate of tokens is only its amount. */
export function RateLines({ rates, isNamed = false }: RateLinesProps) {
  const { price } = useRateText();
  const [only] = rates;
  if (!isNamed && rates.length === 1 && only?.unit.endsWith("_token"))
    return <span>{priceText(only.points)}</span>;
  return (
    <span className="grow text-right">
      {rates.map((rate) => (
        <span key={rateKey(rate)} className="block whitespace-nowrap">
          {price(rate)}
        </span>
      ))}
    </span>
  );
}

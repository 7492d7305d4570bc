import { RateLines } from "@/components/catalog/rate-lines";
import type { RateView } from "@/lib/contract/rates";
import { isMainRate } from "@/lib/contract/units";

/** The rates besides those of the tokens in and out. */
export function OtherRates({ rates }: { rates: readonly RateView[] }) {
  const others = rates.filter((rate) => !isMainRate(rate));
  if (others.length === 0) return <span className="text-muted">–</span>;
  return <RateLines rates={others} isNamed />;
}

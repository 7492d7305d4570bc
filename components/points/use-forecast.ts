import { type Forecast, forecast } from "@/lib/client/forecast";
import { useNow } from "@/lib/client/now";
import { PACE_DAYS } from "@/lib/client/pace";
import { useSpendByModel } from "@/lib/client/usage";
import type { ModelPriceView } from "@/lib/contract/prices";

/** Until when the balance lasts; null until what was spent is known. */
export function useForecast(available: string, prices: readonly ModelPriceView[]): Forecast | null {
  const { data } = useSpendByModel();
  const now = useNow();
  return data ? forecast(available, data.groups, PACE_DAYS, prices, now) : null;
}

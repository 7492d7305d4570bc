import { useQuery } from "@tanstack/react-query";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { operatorPricesQuery, useNoteUpstreamPrice } from "@/lib/client/operator-prices";
import type { Family } from "@/lib/contract/states";
import { parsePoints } from "@/lib/money/points";
import type { Money } from "@/lib/pricing/margin";
import { type RateRow, upstreamOfRows } from "./rate-rows";

/** What one point is sold for; null when it is not noted. */
export function usePointPrice(): Money | null {
  const view = useQuery(operatorPricesQuery).data?.pointPrice;
  if (!view) return null;
  return { currency: view.currency, amount: parsePoints(view.amount) ?? 0n };
}

/**
 * Notes what the upstream asks, as the rows say. The price beside it is already set, so a refusal is
 * told without undoing anything.
 */
export function useNoteCosts(family: Family, currency: string | undefined) {
  const note = useNoteUpstreamPrice();
  const showFailure = useFailureToast("operator");
  return async (subject: string, rows: readonly RateRow[]) => {
    if (currency === undefined || rows.every(({ cost }) => cost.trim() === "")) return;
    try {
      await note.mutateAsync({ subject, price: { currency, ...upstreamOfRows(family, rows) } });
    } catch (error) {
      showFailure(error);
    }
  };
}

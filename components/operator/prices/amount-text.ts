import { priceText } from "@/lib/client/points-display";

/** An amount for an input field: no separators, empty for none. */
export const amountText = (amount: string | null | undefined) =>
  amount ? priceText(amount).replaceAll(",", "") : "";

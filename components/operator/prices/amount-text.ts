import { priceText } from "@/lib/client/points-display";

/** An amount as a field holds it: without separators, empty where there is none. */
export const amountText = (amount: string | null | undefined) =>
  amount ? priceText(amount).replaceAll(",", "") : "";

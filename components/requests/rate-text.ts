import { useTranslations } from "next-intl";
import { sizeText } from "@/lib/catalog/image-sizes";
import { priceText } from "@/lib/client/points-display";
import { isUsualTier, type RateChange } from "@/lib/client/rate-changes";
import type { RateView } from "@/lib/contract/rates";
import type { Selector } from "@/lib/contract/units";

/** Writes an amount; of points, unless it is given. */
export type AmountText = (amount: string) => string;

/** Between what is counted and each thing that a rate is for. */
export const BETWEEN = " · ";

type Ordered = Pick<RateView, Selector>;

/** Rates for people: what is counted, what a rate is for, and what it costs. */
export function useRateText() {
  const t = useTranslations("rates");
  /** The usual tier is not named. */
  const withOrdered = (text: string, ordered: Ordered) => {
    const { size, quality, resolution, audio, input_video: from, tier } = ordered;
    const sound = audio === undefined ? undefined : t(audio ? "sound" : "noSound");
    const source = from === undefined ? undefined : t(from ? "fromVideo" : "notFromVideo");
    const order = isUsualTier(tier) ? undefined : t("tier", { tier });
    const { input_from: tokens, hours } = ordered;
    const length = tokens === undefined ? undefined : t("inputFrom", { tokens });
    const times = hours === undefined ? undefined : t("hours", { hours: hours.replace("-", "–") });
    return [text, size && sizeText(size), quality, resolution, sound, source, order, length, times]
      .filter(Boolean)
      .join(BETWEEN);
  };
  return {
    /** Such as `30 per second · 720p`. */
    price: ({ unit, points, ...ordered }: RateView, amountText: AmountText = priceText) =>
      withOrdered(t(`price.${unit}`, { price: amountText(points) }), ordered),
    /** Such as `30 → 25 per second · 720p`; a rate that begins has only its amount. */
    change: ({ unit, from, to, ...ordered }: RateChange, amountText: AmountText = priceText) => {
      const later = to === null ? "–" : amountText(to);
      const price = from === null ? later : `${amountText(from)} → ${later}`;
      return withOrdered(t(`price.${unit}`, { price }), ordered);
    },
    /** What a rate is for, such as `720p · with sound`; empty for all. */
    conditions: (ordered: Ordered) => withOrdered("", ordered),
    /** Such as `Seconds × points each · 720p`. */
    counted: ({ unit, ...ordered }: Omit<RateView, "points">) =>
      withOrdered(t(`counted.${unit}`), ordered),
  };
}

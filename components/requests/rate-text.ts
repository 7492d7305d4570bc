import { useTranslations } from "next-intl";
import { priceText } from "@/lib/client/points-display";
import type { RateView } from "@/lib/contract/rates";
import { type Selector, selectors } from "@/lib/contract/units";

type Ordered = Pick<RateView, Selector>;

/** Rates for people: what is counted, what a rate is for, and what it costs. */
export function useRateText() {
  const t = useTranslations("rates");
  const withOrdered = (text: string, ordered: Ordered) => {
    const { size, quality, resolution, audio, input_video: from, tier } = ordered;
    const sound = audio === undefined ? undefined : t(audio ? "sound" : "noSound");
    const source = from === undefined ? undefined : t(from ? "fromVideo" : "notFromVideo");
    return [text, size, quality, resolution, sound, source, tier].filter(Boolean).join(" · ");
  };
  return {
    /** Such as `30 per second · 720p`. */
    price: ({ unit, points, ...ordered }: RateView) =>
      withOrdered(t(`price.${unit}`, { price: priceText(points) }), ordered),
    /** Such as `Seconds × points each · 720p`. */
    counted: ({ unit, ...ordered }: Omit<RateView, "points">) =>
      withOrdered(t(`counted.${unit}`), ordered),
  };
}

export const rateKey = (rate: Omit<RateView, "points">) =>
  [rate.unit, ...selectors.map((name) => rate[name])].join(" ");

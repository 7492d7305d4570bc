import { useTranslations } from "next-intl";
import { priceText } from "@/lib/client/points-display";
import type { RateView } from "@/lib/contract/rates";

type Ordered = Pick<RateView, "size" | "quality" | "resolution" | "audio">;

/** Rates for people: what is counted, what a rate is for, and what it costs. */
export function useRateText() {
  const t = useTranslations("rates");
  const withOrdered = (text: string, { size, quality, resolution, audio }: Ordered) => {
    const sound = audio === undefined ? undefined : t(audio ? "sound" : "noSound");
    return [text, size, quality, resolution, sound].filter(Boolean).join(" · ");
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

export const rateKey = ({ unit, size, quality, resolution, audio }: Omit<RateView, "points">) =>
  [unit, size, quality, resolution, audio].join(" ");

import { useTranslations } from "next-intl";
import { durationOf } from "@/lib/client/durations";

/** How long something took: `820 ms`, `2.1 s`, `1 min 5 s`. Clocks, such as `1:05`, are for what runs and for films. */
export function useDurationText(): (ms: number) => string {
  const t = useTranslations("ui.duration");
  return (ms) => {
    const { unit, whole, rest } = durationOf(ms);
    return t(unit, { whole, rest });
  };
}

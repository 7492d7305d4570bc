import { useFormatter, useTranslations } from "next-intl";
import { clockText } from "@/lib/client/clock-text";
import type { ModelFigures } from "@/lib/contract/model-figures";

/** Too few requests to tell. */
export function Unknown() {
  const t = useTranslations("modelBoard");
  return (
    <span title={t("few")} className="text-faint">
      <span aria-hidden>–</span>
      <span className="sr-only">{t("few")}</span>
    </span>
  );
}

/** Below 0.1 seconds in milliseconds, below 10 with a decimal; from a minute on in minutes and seconds. */
export function useTimeText(): (milliseconds: number) => string {
  const t = useTranslations("settlement");
  const format = useFormatter();
  return (milliseconds) => {
    if (milliseconds < 100) return t("milliseconds", { milliseconds });
    const seconds = milliseconds / 1000;
    if (seconds >= 60) return clockText(Math.floor(seconds));
    const maximumFractionDigits = seconds < 10 ? 1 : 0;
    return t("seconds", { seconds: format.number(seconds, { maximumFractionDigits }) });
  };
}

/** How long the model takes usually, to the first token where answers are streamed. */
export function UsualTime({ figures }: { figures: ModelFigures | undefined }) {
  const t = useTranslations("modelBoard");
  const timeText = useTimeText();
  const shown = figures?.firstTokenMs ?? figures?.usualMs ?? null;
  if (!figures || shown === null) return <Unknown />;
  const time = timeText(shown);
  return figures.firstTokenMs === null ? time : t("toFirstToken", { time });
}

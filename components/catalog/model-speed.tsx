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
export function UsualTime({ figures }: { figures: ModelFigures | undefined }) {
  const t = useTranslations("modelBoard");
  const settlement = useTranslations("settlement");
  const format = useFormatter();
  const shown = figures?.firstTokenMs ?? figures?.usualMs ?? null;
  if (!figures || shown === null) return <Unknown />;
  const seconds = shown / 1000;
  const text =
    shown < 100
      ? settlement("milliseconds", { milliseconds: shown })
      : seconds < 60
        ? settlement("seconds", {
            seconds: format.number(seconds, { maximumFractionDigits: seconds < 10 ? 1 : 0 }),
          })
        : clockText(Math.floor(seconds));
  return figures.firstTokenMs === null ? text : t("toFirstToken", { time: text });
}

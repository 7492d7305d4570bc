import { useTranslations } from "next-intl";
import { useDurationText } from "@/components/ui/duration-text";
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

/** How long the model takes usually, to the first token where answers are streamed. */
export function UsualTime({ figures }: { figures: ModelFigures | undefined }) {
  const t = useTranslations("modelBoard");
  const timeText = useDurationText();
  const shown = figures?.firstTokenMs ?? figures?.usualMs ?? null;
  if (!figures || shown === null) return <Unknown />;
  const time = timeText(shown);
  return figures.firstTokenMs === null ? time : t("toFirstToken", { time });
}

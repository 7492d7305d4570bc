import { useTranslations } from "next-intl";
import type { Model } from "@/lib/catalog/models";

/** The limits of a model in one line. */
export function ModelLimits({ model }: { model: Model }) {
  const t = useTranslations("modelPage.facts");
  if (model.family === "text") return t("tokens", { count: model.outputTokensMax });
  if (model.family === "image") {
    return t("side", {
      min: model.sidePixelsMin,
      max: model.sidePixelsMax,
      most: `${Math.sqrt(model.pixelsMax)}×${Math.sqrt(model.pixelsMax)}`,
    });
  }
  const seconds = t("seconds", { min: model.durationSecondsMin, max: model.durationSecondsMax });
  return [seconds, ...model.resolutions].join(t("separator"));
}

import { useTranslations } from "next-intl";
import { pixelsText, sizeText } from "@/lib/catalog/image-sizes";
import type { Model } from "@/lib/catalog/models";

/** The limits of a model in one line. */
export function ModelLimits({ model }: { model: Model }) {
  const t = useTranslations("modelPage.facts");
  if (model.family === "text") return t("outputUpTo", { count: model.outputTokensMax });
  if (model.family === "image") {
    if (model.sizes !== null) return model.sizes.map(sizeText).join(t("separator"));
    return t("side", {
      min: model.sidePixelsMin,
      max: model.sidePixelsMax,
      most: pixelsText(model.pixelsMax),
    });
  }
  const seconds =
    model.durations === null
      ? t("seconds", { min: model.durationSecondsMin, max: model.durationSecondsMax })
      : t("secondsOf", {
          list: model.durations.toSorted((one, other) => one - other).join(t("separator")),
        });
  return [seconds, ...model.resolutions].join(t("separator"));
}

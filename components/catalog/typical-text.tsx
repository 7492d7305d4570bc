import { useFormatter, useTranslations } from "next-intl";
import { sizeText } from "@/lib/catalog/image-sizes";
import type { Model } from "@/lib/catalog/models";
import { typicalRequest } from "@/lib/pricing/typical";

/** Describes a model's typical request in a few words. */
export function TypicalText({ model }: { model: Model }) {
  const t = useTranslations("pricing.typicals");
  const format = useFormatter();
  const typical = typicalRequest(model);
  if (typical.family === "text")
    return t("text", {
      input: format.number(typical.inputTokens),
      output: format.number(typical.outputTokens),
    });
  if (typical.family === "video")
    return t("video", { seconds: typical.seconds, resolution: typical.resolution });
  const size = t("image", { size: sizeText(typical.size) });
  return typical.quality === undefined ? size : `${size} · ${typical.quality}`;
}

import { useTranslations } from "next-intl";
import { FactList } from "@/components/ui/fact-list";
import { pixelsText, sizeText } from "@/lib/catalog/image-sizes";
import type { ImageModel, Model, TextModel, VideoModel } from "@/lib/catalog/models";

interface Fact {
  name: string;
  text: string;
}

function useFacts() {
  const t = useTranslations("modelPage");
  const list = (items: readonly string[]) => items.join(t("facts.separator"));
  return {
    text: (model: TextModel): Fact[] => [
      { name: t("facts.outputTokens"), text: t("facts.tokens", { count: model.outputTokensMax }) },
      ...(model.inputTokensPerImageMax === null
        ? []
        : [
            {
              name: t("facts.imageTokens"),
              text: t("facts.imageTokensText", { count: model.inputTokensPerImageMax }),
            },
          ]),
    ],
    video: (model: VideoModel): Fact[] => [
      {
        name: t("duration"),
        text:
          model.durations === null
            ? `${t("facts.seconds", { min: model.durationSecondsMin, max: model.durationSecondsMax })} · ${t("facts.secondsNote", { default: model.durationSecondsDefault, min: model.durationSecondsMin })}`
            : t("facts.listedSeconds", {
                list: list(model.durations.toSorted((one, other) => one - other).map(String)),
                default: model.durationSecondsDefault,
              }),
      },
      {
        name: t("resolutions"),
        text: t("facts.resolutions", {
          list: list(model.resolutions),
          default: model.resolutionDefault,
        }),
      },
      {
        name: t("facts.ratios"),
        text: t("facts.resolutions", { list: list(model.ratios), default: model.ratioDefault }),
      },
      { name: t("facts.firstFrame"), text: t("facts.firstFrameText") },
      ...(model.hasLastFrame
        ? [{ name: t("facts.lastFrame"), text: t("facts.lastFrameText") }]
        : []),
      {
        name: t("pictures"),
        text:
          model.referenceImagesMax > 0
            ? t("facts.references", { count: model.referenceImagesMax })
            : t("none"),
      },
      { name: t("sound"), text: model.audio ? t("yes") : t("none") },
      { name: t("facts.perCall"), text: t("facts.one") },
    ],
  };
}

function useImageFacts() {
  const t = useTranslations("modelPage");
  const list = (items: readonly string[]) => items.join(t("facts.separator"));
  return (model: ImageModel): Fact[] => [
    {
      name: t("facts.sizes"),
      text:
        model.sizes === null
          ? `${t("facts.side", { min: model.sidePixelsMin, max: model.sidePixelsMax, most: pixelsText(model.pixelsMax) })} · ${t("facts.sizeDefault", { size: sizeText(model.sizeDefault) })}`
          : t("facts.resolutions", {
              list: list(model.sizes.map(sizeText)),
              default: sizeText(model.sizeDefault),
            }),
    },
    { name: t("facts.ratios"), text: list(Object.keys(model.ratioSizes)) || t("none") },
    ...(model.qualityDefault === null
      ? []
      : [
          {
            name: t("facts.qualities"),
            text: t("facts.resolutions", {
              list: list(model.qualities),
              default: model.qualityDefault,
            }),
          },
        ]),
    {
      name: t("pictures"),
      text:
        model.referenceImagesMax > 0
          ? t("facts.references", { count: model.referenceImagesMax })
          : t("none"),
    },
    { name: t("facts.perCall"), text: t("facts.one") },
  ];
}

/** A model's capabilities, from the catalogue. */
export function ModelFacts({ model }: { model: Model }) {
  const facts = useFacts();
  const imageFacts = useImageFacts();
  if (model.family === "text") return <FactList facts={facts.text(model)} />;
  return <FactList facts={model.family === "video" ? facts.video(model) : imageFacts(model)} />;
}

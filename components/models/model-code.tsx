import { useTranslations } from "next-intl";
import { CodeSamples } from "@/components/ui/code-samples";
import { tags } from "@/components/ui/rich-text";
import { makesSize, parseImageSize } from "@/lib/catalog/image-sizes";
import type { Model } from "@/lib/catalog/models";
import type { Place } from "@/lib/docs/code";
import { chat, image } from "@/lib/docs/snippets";
import { task } from "@/lib/docs/video-snippets";

const SIZE = "1024x1024";
const SECONDS = 5;

/** As in the guides where the model makes that, else by its defaults. */
function samplesOf(model: Model, place: Place) {
  if (model.family === "text") return chat(place, model.alias);
  if (model.family === "image") {
    const isMade = makesSize(model, parseImageSize(SIZE) ?? [0, 0]);
    return image(place, model.alias, isMade ? SIZE : model.sizeDefault);
  }
  const { durations, durationSecondsMin: min, durationSecondsMax: max } = model;
  const hasSeconds = durations?.includes(SECONDS) ?? (min <= SECONDS && SECONDS <= max);
  const seconds = hasSeconds ? SECONDS : model.durationSecondsDefault;
  const resolution = model.resolutions.find((each) => each === "480p") ?? model.resolutionDefault;
  return task(place, model.alias, `--resolution ${resolution} --duration ${seconds}`);
}

/** A sample request to the model in each language. */
export function ModelCode({ model, place }: { model: Model; place: Place }) {
  const t = useTranslations("modelPage");
  return (
    <section aria-labelledby="code" className="min-w-0">
      <h2 id="code" className="text-xl">
        {t("code")}
      </h2>
      <p className="mt-1 mb-3 text-muted text-sm">{t.rich("codeNote", tags)}</p>
      <CodeSamples label={t("code")} samples={samplesOf(model, place)} />
    </section>
  );
}

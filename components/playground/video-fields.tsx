import { useTranslations } from "next-intl";
import { Segmented } from "@/components/ui/segmented";
import { useListText } from "@/components/ui/use-list-text";
import { hasAdaptive, ratioOf, videoModels } from "@/lib/client/video-settings";
import { CheckRow } from "./check-row";
import { FrameFolds } from "./frame-folds";
import { type FieldsProps, LengthField } from "./length-field";
import { MoreFields } from "./more-fields";
import { ReferenceFold } from "./reference-wall";
import { SeedField } from "./seed-field";
import { ShapeChoice } from "./shape-choice";
import { type Extras, TierField } from "./tier-field";

interface VideoFieldsProps extends FieldsProps {
  extras: Extras;
}

/** Every resolution that any model has, so that the form keeps its shape when the model changes. */
const everyResolution = () => [...new Set(videoModels().flatMap((model) => model.resolutions))];

/** What is set of a video besides its model and prompt; what most leave as it is, is folded. */
export function VideoFields({ settings, change, extras }: VideoFieldsProps) {
  const t = useTranslations("studio");
  const { model, seed, firstFrame, references, draftTask } = settings;
  const tier = <TierField settings={settings} change={change} extras={extras} />;
  const more = <MoreFields settings={settings} change={change} extras={extras} />;
  if (draftTask !== null)
    return (
      <>
        <ResolutionField settings={settings} change={change} />
        {tier}
        <div>{more}</div>
      </>
    );
  return (
    <>
      <ShapeChoice
        label={t("ratio")}
        ratios={[...model.ratios, ...(hasAdaptive(settings) ? (["adaptive"] as const) : [])]}
        value={ratioOf(settings)}
        onChange={(ratio) => change({ ratio })}
      />
      <ResolutionField settings={settings} change={change} />
      <LengthField settings={settings} change={change} />
      {tier}
      <div>
        {references.length === 0 ? <FrameFolds settings={settings} change={change} /> : null}
        {firstFrame.length === 0 ? <ReferenceFold settings={settings} change={change} /> : null}
        {model.audio ? (
          <CheckRow
            label={t("audio")}
            isOn={settings.generateAudio}
            onChange={(generateAudio) => change({ generateAudio })}
          />
        ) : null}
        <SeedField value={seed} onChange={(next) => change({ seed: next })} />
        {more}
      </div>
    </>
  );
}

function ResolutionField({ settings, change }: FieldsProps) {
  const listed = useListText();
  const t = useTranslations("studio");
  const { model, resolution } = settings;
  const resolutions = everyResolution();
  const missing = resolutions.filter((each) => !model.resolutions.includes(each));
  const why = t("notWith", { resolutions: listed(missing) });
  return (
    <div>
      <p className="mb-1.5 flex justify-between gap-3 text-sm">
        <span className="font-medium">{t("resolution")}</span>
        {missing.length > 0 ? <span className="text-muted">{why}</span> : null}
      </p>
      <Segmented
        label={t("resolution")}
        value={resolution}
        onChange={(next) => change({ resolution: next })}
        options={resolutions.map((value) => ({
          value,
          label: value,
          ...(missing.includes(value) ? { unavailable: why } : {}),
        }))}
      />
    </div>
  );
}

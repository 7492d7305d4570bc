import { useTranslations } from "next-intl";
import { useState } from "react";
import { SelectField } from "@/components/forms/text-field";
import { Segmented } from "@/components/ui/segmented";
import {
  lackOf,
  type ReferenceKind,
  referenceKinds,
  referencesMax,
  referencesOf,
  type VideoSettings,
  withReferences,
} from "@/lib/client/video-settings";
import { AddressField } from "./address-field";
import { DropZone } from "./drop-zone";
import { FileTile } from "./file-tile";
import { FoldRow } from "./fold-row";
import type { FieldsProps } from "./length-field";
import { usePictureFiles } from "./picture-files";

/** The references behind a line; nothing for a model that takes none. */
export function ReferenceFold({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const count = referencesOf(settings).length;
  const max = referenceKinds.reduce((sum, kind) => sum + referencesMax(settings.model, kind), 0);
  if (max === 0) return null;
  const isMixed = max > settings.model.referenceImagesMax;
  return (
    <FoldRow
      title={t(isMixed ? "mixedReferences" : "references")}
      value={t("ofMax", { count, max })}
      isOpen={count > 0}
    >
      <ReferenceWall settings={settings} change={change} />
    </FoldRow>
  );
}

/** Images, videos and sounds with what they are for, each up to what the model takes. */
function ReferenceWall({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { model } = settings;
  const shown = referencesOf(settings);
  const kinds = referenceKinds.filter((kind) => referencesMax(model, kind) > 0);
  const [chosen, setChosen] = useState<ReferenceKind>("image");
  const kind = kinds.includes(chosen) ? chosen : (kinds[0] ?? "image");
  const countOf = (of: ReferenceKind) => shown.filter((each) => each.kind === of).length;
  const add = (addresses: readonly string[], of = kind) =>
    change({ references: withReferences(settings, of, addresses).references });
  const { read, onPaste, fault } = usePictureFiles((addresses) => add(addresses, "image"));
  return (
    <div className="grid gap-2" onPaste={onPaste}>
      {shown.length > 0 ? (
        <ul className="grid grid-cols-4 gap-2">
          {shown.map((each, at) => (
            <FileTile
              key={each.address}
              {...each}
              number={at + 1 - shown.findIndex((first) => first.kind === each.kind)}
              hasKind={kinds.length > 1}
              onRemove={() => change({ references: shown.filter((other) => other !== each) })}
            />
          ))}
        </ul>
      ) : null}
      {kinds.length > 1 ? (
        <Segmented
          label={t("referenceKind")}
          value={kind}
          onChange={setChosen}
          options={kinds.map((value) => ({
            value,
            label: t(`kindCounts.${value}`, {
              count: countOf(value),
              max: referencesMax(model, value),
            }),
          }))}
        />
      ) : null}
      {countOf(kind) < referencesMax(model, kind) ? (
        <>
          {kind === "image" ? (
            <DropZone isMany={referencesMax(model, kind) > 1} onFiles={read} />
          ) : null}
          <AddressField
            key={kind}
            label={t(`kindsOne.${kind}`)}
            hint={
              kind === "image"
                ? t("addressHint", { max: referencesMax(model, kind) })
                : t(`addressOf.${kind}`)
            }
            isImage={kind === "image"}
            onAdd={(address) => add([address])}
          />
        </>
      ) : null}
      {fault}
      <KindNote settings={settings} kind={kind} />
      <TaskField settings={settings} change={change} />
    </div>
  );
}

/** What a video counts, and what a sound needs. */
function KindNote({ settings, kind }: { settings: VideoSettings; kind: ReferenceKind }) {
  const t = useTranslations("studio");
  const seconds = settings.model.offers.input_videos?.seconds_max ?? 0;
  if (kind === "video") return <p className="text-muted text-sm">{t("videoNote", { seconds })}</p>;
  if (kind === "image" && lackOf(settings) !== "beside_sound") return null;
  return <p className="text-muted text-sm">{t("soundNote")}</p>;
}

/** What is made of the references, where the model has several ways. */
function TaskField({ settings, change }: FieldsProps) {
  const t = useTranslations("studio");
  const { more, model } = settings;
  const tasks = model.offers.reference_tasks;
  if (!tasks || referencesOf(settings).length === 0) return null;
  return (
    <SelectField
      label={t("referenceTask")}
      value={more.omni_reference_task_type ?? ""}
      onChange={({ target }) =>
        change({ more: { ...more, omni_reference_task_type: target.value || null } })
      }
    >
      <option value="">{t("taskOfModel")}</option>
      {tasks.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}

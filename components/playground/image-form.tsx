import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { SelectField } from "@/components/forms/text-field";
import {
  countOf,
  type ImageSettings,
  imageBodies,
  imageBody,
  sizeNameOf,
  wayOf,
  withImageModel,
} from "@/lib/client/image-settings";
import { useQuote } from "@/lib/client/studio";
import { ImageFields } from "./image-fields";
import { QuoteFoot } from "./quote-foot";
import { StudioForm } from "./studio-form";

interface ImageFormProps {
  settings: ImageSettings;
  onChange: (settings: ImageSettings) => void;
  /** One body for each image. */
  onSend: (bodies: readonly object[]) => void;
  note: ReactNode;
}

export function ImageForm({ settings, onChange, onSend, note }: ImageFormProps) {
  const t = useTranslations("studio");
  const { model, ratio, width, height, quality, references } = settings;
  const count = countOf(settings);
  const body = imageBody(settings);
  const offered = useOfferedOf("image");
  const quoting = useQuote("createImage", body);
  const change = (part: Partial<ImageSettings>) => onChange({ ...settings, ...part });
  return (
    <StudioForm
      label={t("newImage")}
      prompt={settings.prompt}
      onPrompt={(prompt) => change({ prompt })}
      onPictures={(addresses) =>
        change({ references: [...references, ...addresses].slice(0, model.referenceImagesMax) })
      }
      onSend={() => body && onSend(imageBodies(settings))}
      head={
        <SelectField
          label={t("model")}
          value={model.id}
          onChange={({ target }) =>
            onChange(
              withImageModel(settings, offered.find(({ id }) => id === target.value) ?? model),
            )
          }
        >
          {offered.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </SelectField>
      }
      fields={<ImageFields settings={settings} onChange={onChange} />}
      chips={[
        model.id,
        sizeNameOf(settings) ?? ratio ?? `${width} × ${height}`,
        ...(quality === null ? [] : [quality]),
        `× ${count}`,
      ]}
      foot={
        <QuoteFoot
          quotes={[quoting]}
          times={wayOf(settings) === "calls" ? count : 1}
          isReady={body !== null}
          isBusy={false}
          go={count === 1 ? t("makeImage") : t("goImages", { count })}
        >
          {note}
        </QuoteFoot>
      }
    />
  );
}

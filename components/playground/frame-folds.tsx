import { useTranslations } from "next-intl";
import { FoldRow } from "./fold-row";
import type { FieldsProps } from "./length-field";
import { PicturesField } from "./pictures-field";

export function FrameFolds({ settings, change }: FieldsProps) {
  const { model, firstFrame, lastFrame } = settings;
  return (
    <>
      <FrameFold name="firstFrame" value={firstFrame} change={change} />
      {model.hasLastFrame && firstFrame.length > 0 ? (
        <FrameFold name="lastFrame" value={lastFrame} change={change} />
      ) : null}
    </>
  );
}

interface FrameFoldProps extends Pick<FieldsProps, "change"> {
  name: "firstFrame" | "lastFrame";
  value: readonly string[];
}

function FrameFold({ name, value, change }: FrameFoldProps) {
  const t = useTranslations("studio");
  return (
    <FoldRow
      title={t(name)}
      value={value.length === 0 ? t("none") : t("imagesCount", { count: 1 })}
      isOpen={value.length > 0}
    >
      <PicturesField
        label={t(name)}
        max={1}
        value={value}
        onChange={(next) => change({ [name]: next })}
      />
    </FoldRow>
  );
}

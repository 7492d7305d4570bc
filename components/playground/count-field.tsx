import { useTranslations } from "next-intl";
import { RangeField } from "@/components/forms/range-field";
import { Segmented } from "@/components/ui/segmented";
import {
  countMax,
  countOf,
  type ImageFieldsProps,
  imageWays,
  wayOf,
} from "@/lib/client/image-settings";

/** How many images, and for a model that makes several in one call, how. */
export function CountField({ settings, onChange }: ImageFieldsProps) {
  const t = useTranslations("studio");
  const [way, count, max] = [wayOf(settings), countOf(settings), countMax(settings)];
  const isSeparate = way === "calls";
  const note = isSeparate ? "howManyNote" : way === "together" ? "togetherNote" : "sequenceNote";
  const setCount = (next: number) => onChange({ ...settings, count: next });
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-sm">{t("howMany")}</p>
      {settings.model.options.imagesMax > 1 ? (
        <Segmented
          label={t("wayBy")}
          value={way}
          onChange={(next) => onChange({ ...settings, way: next })}
          options={imageWays.map((value) => ({ value, label: t(`ways.${value}`) }))}
        />
      ) : null}
      {isSeparate ? (
        <Segmented
          label={t("howMany")}
          value={String(count)}
          onChange={(next) => setCount(Number(next))}
          options={Array.from({ length: max }, (_, at) => {
            const value = String(at + 1);
            return { value, label: value };
          })}
        />
      ) : (
        <RangeField
          label={<span className="sr-only">{t("howMany")}</span>}
          min={1}
          max={max}
          value={count}
          valueText={way === "sequence" ? t("countUpTo", { count }) : String(count)}
          onChange={setCount}
        />
      )}
      {count > 1 || way === "sequence" ? (
        <p className="text-muted text-sm">{t(note, { count })}</p>
      ) : null}
    </div>
  );
}

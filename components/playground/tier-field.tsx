import { useTranslations } from "next-intl";
import { SelectField } from "@/components/forms/text-field";
import { useDurationText } from "@/components/ui/duration-text";
import { Options } from "@/components/ui/input";
import { PointsText } from "@/components/ui/points-text";
import { Segmented } from "@/components/ui/segmented";
import { useQuote } from "@/lib/client/studio";
import { useTypicalSeconds } from "@/lib/client/tasks";
import { moreOf, taskBody, type VideoSettings } from "@/lib/client/video-settings";
import type { FieldsProps } from "./length-field";

/** The models whose price has a rate for what costs extra. */
export interface Extras {
  readonly flex: readonly string[];
  readonly tools: readonly string[];
}

const DECIMALS = 6;
const HOUR = 3600;
const hours = [1, 3, 6, 12, 24, 48, 72] as const;
const HOURS_DEFAULT = 48;

/** Now, or later for less: what the other one would cost, and until when it is tried. */
export function TierField({ settings, change, extras }: FieldsProps & { extras: Extras }) {
  const t = useTranslations("studio");
  const { model, more } = settings;
  if (!model.offers.flex || !extras.flex.includes(model.id)) return null;
  const isFlex = moreOf(settings).service_tier === "flex";
  return (
    <div className="grid gap-2">
      <p className="font-medium text-sm">{t("tier")}</p>
      <Segmented
        label={t("tier")}
        value={isFlex ? "flex" : "default"}
        onChange={(next) => change({ more: { ...more, service_tier: next } })}
        options={(["default", "flex"] as const).map((value) => ({
          value,
          label: t(`tiers.${value}`),
        }))}
      />
      <OtherTier settings={settings} isFlex={isFlex} />
      {isFlex ? (
        <SelectField
          label={t("expires")}
          hint={t("expiresNote")}
          value={(more.execution_expires_after ?? HOURS_DEFAULT * HOUR) / HOUR}
          onChange={({ target }) =>
            change({ more: { ...more, execution_expires_after: Number(target.value) * HOUR } })
          }
        >
          <Options of={hours} name={(each) => t("hours", { hours: each })} />
        </SelectField>
      ) : null}
    </div>
  );
}

/** What the tier that is not chosen would cost, and how long the later one takes usually. */
function OtherTier({ settings, isFlex }: { settings: VideoSettings; isFlex: boolean }) {
  const t = useTranslations("studio");
  const tier = isFlex ? "default" : "flex";
  const other = { ...settings, more: { ...settings.more, service_tier: tier } as const };
  const { quote } = useQuote("createVideoTask", taskBody(other));
  const durationText = useDurationText();
  const typical = useTypicalSeconds(settings.model.id, "flex");
  return (
    <p className="min-h-5 text-muted text-sm" aria-live="polite">
      {quote
        ? t.rich(`otherTier.${tier}`, {
            amount: () => <PointsText value={quote.estimate_points.toFixed(DECIMALS)} />,
          })
        : null}{" "}
      {typical === null ? null : t("flexUsually", { time: durationText(typical * 1000) })}
    </p>
  );
}

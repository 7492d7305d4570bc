import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { Segmented } from "@/components/ui/segmented";
import type { RateView } from "@/lib/contract/rates";
import type { Ordered } from "@/lib/pricing/rate";

export type Conditions = Pick<Ordered, "audio" | "input_video" | "tier" | "time">;

const DEFAULT_TIER = "default";

interface ConditionFieldsProps {
  rates: readonly RateView[];
  chosen: Conditions;
  onChange: (chosen: Conditions) => void;
}

/** What a price depends on besides the fields of its family; only what a rate is for. */
export function ConditionFields({ rates, chosen, onChange }: ConditionFieldsProps) {
  const t = useTranslations("calculator");
  const rate = useTranslations("rates");
  const tiers = [...new Set([DEFAULT_TIER, ...rates.flatMap(({ tier }) => tier ?? [])])];
  const isAbout = (name: "audio" | "input_video" | "hours") =>
    rates.some((each) => each[name] !== undefined);
  return (
    <>
      {isAbout("audio") ? (
        <Truth
          label={t("sound")}
          names={[rate("noSound"), rate("sound")]}
          value={chosen.audio}
          onChange={(audio) => onChange({ ...chosen, audio })}
        />
      ) : null}
      {isAbout("input_video") ? (
        <Truth
          label={t("source")}
          names={[rate("notFromVideo"), rate("fromVideo")]}
          value={chosen.input_video}
          onChange={(from) => onChange({ ...chosen, input_video: from })}
        />
      ) : null}
      {tiers.length > 1 ? (
        <Segmented
          label={t("tier")}
          value={chosen.tier ?? DEFAULT_TIER}
          options={tiers.map((value) => ({ value, label: rate("tier", { tier: value }) }))}
          onChange={(tier) => onChange({ ...chosen, tier })}
        />
      ) : null}
      {isAbout("hours") ? (
        <TextField
          label={t("time")}
          hint={t("timeHint")}
          type="time"
          value={chosen.time ?? ""}
          onChange={({ target }) => onChange({ ...chosen, time: target.value || undefined })}
        />
      ) : null}
    </>
  );
}

interface TruthProps {
  label: string;
  names: readonly [no: string, yes: string];
  value: boolean | undefined;
  onChange: (value: boolean) => void;
}

function Truth({ label, names: [no, yes], value, onChange }: TruthProps) {
  return (
    <Segmented
      label={label}
      value={value ? "yes" : "no"}
      options={[
        { value: "no", label: no },
        { value: "yes", label: yes },
      ]}
      onChange={(next) => onChange(next === "yes")}
    />
  );
}

import { useTranslations } from "next-intl";
import { TextField } from "@/components/forms/text-field";
import { SEED_MAX } from "@/lib/contract/limits";
import { FoldRow } from "./fold-row";

interface SeedFieldProps {
  value: number | null;
  onChange: (seed: number | null) => void;
}

/** The seed with which a model repeats a result, in a folded row; null for a random one. */
export function SeedField({ value, onChange }: SeedFieldProps) {
  const t = useTranslations("studio");
  return (
    <FoldRow
      title={t("seed")}
      value={value === null ? t("seedAny") : String(value)}
      isOpen={value !== null}
    >
      <TextField
        label={t("seed")}
        hint={t("seedHint")}
        type="number"
        isNumber
        inputMode="numeric"
        min={0}
        max={SEED_MAX}
        step={1}
        value={value ?? ""}
        onChange={({ target }) =>
          onChange(Number.isNaN(target.valueAsNumber) ? null : Math.trunc(target.valueAsNumber))
        }
      />
    </FoldRow>
  );
}

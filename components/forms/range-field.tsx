import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";

interface RangeFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  min: number;
  max: number;
  step?: number;
  value: number;
  /** The value with its unit, shown beside the label and read by screen readers. */
  valueText: string;
  onChange: (value: number) => void;
}

/** A slider for a number between `min` and `max`, whole where there is no `step`. */
export function RangeField({
  label,
  hint,
  value,
  valueText,
  onChange,
  ...bounds
}: RangeFieldProps) {
  return (
    <Field label={label} aside={<span className="num">{valueText}</span>} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="range"
          className="h-6 w-full accent-(--ink)"
          {...bounds}
          value={value}
          aria-valuetext={valueText}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      )}
    </Field>
  );
}

"use client";

import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";

interface RangeFieldProps {
  label: string;
  hint?: ReactNode;
  min: number;
  max: number;
  value: number;
  /** The value with its unit, shown beside the label and read by screen readers. */
  valueText: string;
  onChange: (value: number) => void;
}

/** A slider for a whole number between `min` and `max`. */
export function RangeField({ label, hint, min, max, value, valueText, onChange }: RangeFieldProps) {
  return (
    <Field label={label} aside={<span className="num">{valueText}</span>} hint={hint}>
      {(control) => (
        <input
          {...control}
          type="range"
          className="h-6 w-full accent-(--ink)"
          min={min}
          max={max}
          value={value}
          aria-valuetext={valueText}
          onChange={(event) => onChange(Number(event.target.value))}
        />
      )}
    </Field>
  );
}

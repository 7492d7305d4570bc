import type { ComponentProps, ReactNode } from "react";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";

interface LongTextFieldProps extends Omit<ComponentProps<"textarea">, "className"> {
  label: ReactNode;
  error?: string | undefined;
}

/** A text of several lines. */
export function LongTextField({ label, error, ...area }: LongTextFieldProps) {
  return (
    <Field label={label} error={error}>
      {(named) => (
        <textarea
          rows={3}
          className={`${controlStyle} field-sizing-content max-h-80 min-h-18 px-3 py-2 text-sm`}
          autoComplete="off"
          {...area}
          {...named}
        />
      )}
    </Field>
  );
}

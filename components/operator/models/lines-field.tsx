import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";

interface LinesFieldProps extends ComponentProps<"textarea"> {
  label: string;
  hint: ReactNode;
  error?: string | undefined;
}

/** Lines of text. */
export function LinesField({ label, hint, error, ...area }: LinesFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          rows={6}
          autoComplete="off"
          spellCheck={false}
          {...area}
          {...control}
          className={cn(controlStyle, "num px-3 py-2 text-sm")}
        />
      )}
    </Field>
  );
}

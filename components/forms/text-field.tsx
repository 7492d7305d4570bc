import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { Input, Select } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { POINTS_LENGTH_MAX } from "@/lib/contract/limits";

interface Labels {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

type TextFieldProps = Labels & ComponentProps<"input"> & { isNumber?: boolean };

/** A labelled text input. `isNumber`: tabular figures, and the number keyboard on a phone. */
export function TextField({
  label,
  hint,
  error,
  isNumber = false,
  className,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          autoComplete="off"
          inputMode={isNumber ? "decimal" : undefined}
          {...input}
          {...control}
          className={cn(isNumber && "num", className)}
        />
      )}
    </Field>
  );
}

/** A labelled number of points. */
export const PointsField = (props: Omit<TextFieldProps, "isNumber" | "maxLength">) => (
  <TextField isNumber maxLength={POINTS_LENGTH_MAX} {...props} />
);

export function PasswordField({
  label,
  hint,
  error,
  ...input
}: Labels & Omit<ComponentProps<"input">, "type" | "className">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput {...input} {...control} />}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  error,
  ...select
}: Labels & Omit<ComponentProps<"select">, "className">) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  );
}

import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cn } from "./class-names";

interface FieldControl {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** Shown at the end of the label's line, such as the current value. */
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Gets the attributes that link the control to its label, hint and error. */
  children: (control: FieldControl) => ReactNode;
}

/** A labelled control. Screen readers read its hint and error with it. */
export function Field({ label, aside, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [hint ? hintId : null, error ? errorId : null].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside ? <span className="text-muted">{aside}</span> : null}
      </div>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {hint ? (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
      <FieldError id={errorId} text={error} />
    </div>
  );
}

interface FieldErrorProps {
  id: string;
  text: string | undefined;
  className?: string;
}

/** An error that screen readers announce as soon as it appears. */
export function FieldError({ id, text, className }: FieldErrorProps) {
  return (
    <div aria-live="polite">
      {text ? (
        <p id={id} className={cn("flex gap-1.5 text-bad text-sm", className)}>
          <CircleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {text}
        </p>
      ) : null}
    </div>
  );
}

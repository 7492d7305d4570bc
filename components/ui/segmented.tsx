import { useId } from "react";
import { cn } from "./class-names";

interface Option<Value extends string> {
  value: Value;
  label: string;
  /** Why it cannot be chosen. It is then struck through, and screen readers read the reason. */
  unavailable?: string;
}

interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value | undefined;
  onChange: (value: Value) => void;
  className?: string | undefined;
}

/** Radio buttons in the form of a bar. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, className } = props;
  const name = useId();
  return (
    <fieldset
      className={cn(
        "flex min-w-0 overflow-hidden rounded-md border border-control bg-card",
        className,
      )}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex-1 whitespace-nowrap border-control border-r px-3 py-2 text-center text-muted text-sm transition-colors last:border-r-0 hover:text-ink has-checked:bg-ink has-checked:text-paper has-disabled:cursor-not-allowed has-disabled:text-faint has-disabled:line-through has-focus-visible:outline-2 has-focus-visible:outline-signal has-focus-visible:-outline-offset-3"
        >
          <input
            type="radio"
            className="absolute inset-0 cursor-[inherit] opacity-0"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.unavailable !== undefined}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.unavailable ? <span className="sr-only">{option.unavailable}</span> : null}
        </label>
      ))}
    </fieldset>
  );
}
